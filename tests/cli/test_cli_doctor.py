import pytest

from pytest_jweval import __version__
from pytest_jweval.cli import installed
from pytest_jweval.cli.problems import of_installation, of_project
from pytest_jweval.cli.project import Agent, Case, Folder, Project

GOLDEN = Folder("golden", exists=True, files=2, cases=2)
VERSES = Agent("verses", "hook", "conftest.verses")


def problems(**changes):
    healthy = {"folders": (GOLDEN,), "agents": (VERSES,), "settings": {"ini jweval_golden": ["golden"]}}
    return list(of_project(Project("/", None, **{"loaded": True, **healthy, **changes})))


def a_case(agent="verses", **changes):
    return Case("one", "l1", agent, "golden/x.yaml", 2, **{"agent_is_known": True, **changes})


def test_a_healthy_project_has_no_problems():
    assert problems(cases=(a_case(),)) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"loaded": False},
            (
                "pytest-jweval is switched off here: take `-p no:jweval` out of addopts, and "
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD out of the environment"
            ),
        ),
        (
            {"folders": (Folder("golden", exists=False, files=0, cases=0),)},
            "the golden folder 'golden' is not there: make it, or name yours in ini jweval_golden",
        ),
        (
            {"folders": (Folder("golden", exists=True, files=0, cases=0),)},
            "the golden folder 'golden' holds no case file: write the first one, golden/l1/first.yaml",
        ),
        (
            {"folders": (Folder("golden", exists=True, files=3, cases=0),)},
            (
                "pytest collects nothing from the 3 case files in 'golden': look for --ignore in addopts and "
                "collect_ignore in a conftest"
            ),
        ),
        (
            {"agents": ()},
            (
                "there are no agents: return {name: callable} from a pytest_jweval_agents hook in "
                "conftest.py, or set ini jweval_agents"
            ),
        ),
        (
            {"agents": (Agent("verses", "ini", "x:y", "it can't be imported"),)},
            "it can't be imported: correct ini jweval_agents",
        ),
        (
            {"cases": (a_case(problems=("golden/x.yaml:3:1: unknown key 'x'",)),)},
            "golden/x.yaml:3:1: unknown key 'x': correct the file",
        ),
        (
            {"cases": (a_case("verse", agent_is_known=False), a_case("verse", agent_is_known=False))},
            (
                "agent 'verse' is named in golden/x.yaml:2 and 1 more, but not registered (did you mean "
                "'verses'?): correct the name, or register the agent"
            ),
        ),
        (
            {"problems": ("Unknown config option: jweval_goldn\n",)},
            "ini jweval_goldn is unknown (did you mean 'jweval_golden'?): rename it, or take it out",
        ),
        ({"problems": ("golden/sub can't be collected: why",)}, "golden/sub can't be collected: why"),
    ],
)
def test_each_problem_is_a_line_with_its_fix(changes, problem):
    assert problems(**changes) == [problem]


def test_a_folder_that_nobody_claimed_is_left_alone_and_that_is_said():
    unclaimed = (Folder("golden", exists=True, files=3, cases=0),)
    found = problems(folders=unclaimed, agents=(), settings={}, agents_by_fixture=("conftest.py",))
    assert found == [
        "pytest leaves 'golden' alone, for nothing says that it is ours: set ini jweval_golden = golden"
    ]


def test_agents_of_a_fixture_are_not_called_unknown():
    assert (
        problems(agents=(), agents_by_fixture=("conftest.py",), cases=(a_case("x", agent_is_known=False),))
        == []
    )


def test_pyyaml_without_its_c_parser_is_a_problem(monkeypatch):
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name == "yaml._yaml" else object())
    monkeypatch.setattr("pytest_jweval.cli.problems.has_libyaml", installed.has_libyaml)
    assert "libyaml" in next(of_installation())


def test_an_extra_is_told_with_its_versions_or_with_what_installs_it(monkeypatch):
    wanted = [
        "pytest>=8.4",
        'numpy>=1.26; extra == "bench"',
        "scipy>=1.11; extra == 'bench'",
        "milvus-lite>=2; (sys_platform != 'win32') and extra == 'milvus'",
        "pytest-jweval[bench]; extra == 'all'",
    ]
    monkeypatch.setattr(installed, "requires", lambda _: wanted)
    monkeypatch.setattr(installed, "version_of", {"numpy": "2.0", "scipy": "1.14"}.get)
    assert list(installed.extras()) == [
        ("bench", "numpy 2.0, scipy 1.14"),
        ("milvus", "not installed: pip install 'pytest-jweval[milvus]'"),
    ]


def sections(output):
    return {block.split("\n")[0]: block.split("\n")[1:] for block in output.strip().split("\n\n")}


def test_a_healthy_project_exits_0_and_shows_what_there_is(jweval, project, covered):
    ended = jweval("doctor", cwd=project(covered))
    assert (ended.returncode, ended.stderr) == (0, "")
    found = sections(ended.stdout)
    assert list(found) == ["versions", "extras", "configuration", "golden folders", "agents", "no problems"]
    versions = {line.split()[0]: line.split()[1] for line in found["versions"]}
    assert {"python", "platform", "pytest", "pluggy", "PyYAML", "pydantic"} <= set(versions)
    assert versions["pytest-jweval"] == __version__
    assert any(line.startswith("  cli ") and "typer" in line for line in found["extras"])
    assert found["golden folders"] == ["  golden  6 cases in 2 files"]
    assert [line.split()[:2] for line in found["agents"]] == [["verses", "hook"], ["topics", "hook"]]
    assert any(line.split()[-1] == "golden" for line in found["configuration"])
    assert any(
        line.split()[0:2] == ["ini", "file"] and line.endswith("pytest.ini")
        for line in found["configuration"]
    )


def test_every_problem_of_a_project_is_found_in_one_go(jweval, project, case):
    ini = "jweval_golden = golden\n  missing\njweval_agents = far = no_house:agent\njweval_agnts = x\n"
    root = project(
        {
            "pytest.ini": f"[pytest]\n{ini}",
            "conftest.py": "def pytest_jweval_agents(config): return {'verses': 'not callable'}",
            "golden/one.yaml": case("one"),
            "golden/twin.yaml": case("one"),
            "golden/typo.yaml": case("typo", "verse"),
            "golden/broken.yaml": "id: broken\n\tlayer: l1\n",
        }
    )
    ended = jweval("doctor", cwd=root)
    assert ended.returncode == 1
    assert ended.stderr == ""
    lines = ended.stdout.splitlines()
    listed = [line for line in lines if line.startswith("  - ")]
    assert f"{len(listed)} problems" in lines
    for part in (
        "ini jweval_agnts is unknown (did you mean 'jweval_agents'?)",
        "the golden folder 'missing' is not there",
        "agent 'verses' is a str, and can't be called",
        "agent 'far' can't be imported from 'no_house:agent'",
        "golden/twin.yaml:1:1: the id 'one' is taken: first used at golden/one.yaml:1",
        "agent 'verse' is named in golden/typo.yaml:1, but not registered (did you mean 'verses'?)",
        "golden/broken.yaml:2:",
    ):
        assert any(line.startswith(f"  - {part}") for line in listed), part
    assert len(listed) == 7


def test_an_agent_whose_module_breaks_or_exits_is_one_problem(jweval, project, covered):
    root = project(
        {
            **covered,
            "pytest.ini": "[pytest]\npythonpath = .\njweval_agents = odd = odd:agent\n  gone = gone:agent\n",
            "odd.py": "raise RuntimeError('no key')",
            "gone.py": "import sys; sys.exit(3)",
        }
    )
    ended = jweval("doctor", cwd=root)
    listed = [line for line in ended.stdout.splitlines() if line.startswith("  - ")]
    assert ["'odd:agent'" in listed[0], "RuntimeError: no key" in listed[0]] == [True, True]
    assert ["'gone:agent'" in listed[1], "SystemExit: 3" in listed[1]] == [True, True]
    assert all(line.endswith(": correct ini jweval_agents") for line in listed)
    assert len(listed) == 2


def test_what_keeps_pytest_from_starting_is_shown_below_what_is_known_anyhow(jweval, project):
    ended = jweval("doctor", cwd=project({"conftest.py": "import no_such_module_anywhere"}))
    assert ended.returncode == 1
    assert list(sections(ended.stdout))[:2] == ["versions", "extras"]
    assert "the project can't be collected: make `pytest --collect-only` work" in ended.stdout
    assert "No module named 'no_such_module_anywhere'" in ended.stdout


def test_a_broken_conftest_below_golden_is_shown(jweval, project, covered):
    root = project({**covered, "golden/l1/conftest.py": "import no_such_module_anywhere"})
    ended = jweval("doctor", cwd=root)
    assert ended.returncode == 1
    assert "No module named 'no_such_module_anywhere'" in ended.stdout


def test_a_project_that_switched_the_plugin_off_is_told(jweval, project):
    ended = jweval("doctor", cwd=project({"pytest.ini": "[pytest]\naddopts = -p no:jweval\n"}))
    assert ended.returncode == 1
    assert "  - pytest-jweval is switched off here: take `-p no:jweval` out of addopts" in ended.stdout


def test_an_empty_folder_is_told_what_to_do_first(jweval, tmp_path):
    ended = jweval("doctor", cwd=tmp_path)
    assert ended.returncode == 1
    assert "the golden folder 'golden' is not there" in ended.stdout
    assert "there are no agents" in ended.stdout


def test_asking_leaves_the_project_as_it_was(jweval, project, covered):
    root = project(covered)
    jweval("doctor", cwd=root, PYTHONDONTWRITEBYTECODE="1")
    left = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert {path for path in left if not path.startswith(".pytest_cache")} == set(covered)
