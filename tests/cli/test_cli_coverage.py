import pytest

from pytest_jweval.cli.coverage import Counts
from pytest_jweval.cli.project import Agent, Case, Project


def a_case(agent, layer="l1", name=None, **changes):
    name = name or f"{agent}_{layer}"
    return Case(name, layer, agent, "golden/x.yaml", 1, **{"agent_is_known": True, **changes})


def counts(cases, agents=("verses", "topics"), only=(), loaded=True):
    registered = tuple(Agent(name, "hook", "x") for name in agents)
    return Counts(Project("/", None, loaded, agents=registered, cases=tuple(cases)), only)


def test_an_agent_with_too_few_cases_is_named_with_how_many_it_has():
    found = counts([a_case("verses", name="a"), a_case("verses", name="b"), a_case("topics")])
    assert list(found.missing(2)) == ["topics has 1 case, and should have 2"]


def test_an_agent_without_any_case_lacks_every_layer_too():
    found = counts([a_case("verses")])
    assert list(found.missing(1)) == [
        "topics has 0 cases, and should have 1",
        "topics has no case of the layer l1",
    ]


def test_a_layer_applies_to_all_agents_once_one_of_them_has_a_case_of_it():
    found = counts([a_case("verses"), a_case("verses", "pairs"), a_case("topics")])
    assert list(found.missing(1)) == ["topics has no case of the layer pairs"]


def test_a_layer_that_asks_no_agent_applies_to_none():
    found = counts([a_case("verses"), a_case("topics"), a_case(None, "bench")])
    assert list(found.missing(1)) == []


def test_only_the_layers_asked_for_count():
    found = counts([a_case("verses"), a_case("verses", "pairs"), a_case("topics")], only=("l1",))
    assert list(found.missing(1)) == []


def test_a_layer_asked_for_that_nobody_has_is_no_silent_pass():
    found = counts([a_case("verses"), a_case("topics")], only=("l11",))
    assert list(found.missing(1)) == ["no agent has a case of the layer 'l11' (did you mean 'l1'?)"]


def test_a_broken_case_counts_for_nothing():
    found = counts([a_case("verses", problems=("x:1:1: wrong",))], agents=["verses"])
    assert list(found.missing(1)) == ["verses has 0 cases, and should have 1"]


def test_several_items_of_one_case_are_one_case():
    found = counts([a_case("verses", name="a"), a_case("verses", name="a")], agents=["verses"])
    assert list(found.missing(2)) == ["verses has 1 case, and should have 2"]


@pytest.mark.parametrize("least", [0, 3])
def test_no_agents_at_all_is_never_green(least):
    assert "no agent is registered" in next(counts([], agents=[]).missing(least))


def test_a_project_in_which_the_plugin_is_switched_off_is_never_green():
    assert "switched off" in next(counts([], agents=[], loaded=False).missing(0))


def test_a_covered_project_exits_0_and_shows_its_table(jweval, project, covered):
    ended = jweval("coverage", cwd=project(covered))
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "agent   cases  l1",
        "topics      3   3",
        "verses      3   3",
        "",
        "each agent has at least 3 cases, and one in each of l1",
    ]
    assert ended.returncode == 0


def test_what_is_missing_is_named_and_exits_1(jweval, project, covered, case):
    root = project({**covered, "golden/pairs/verses.yaml": case("verses_pairs", layer="pairs")})
    ended = jweval("coverage", "--min", "4", cwd=root)
    assert ended.returncode == 1
    assert ended.stdout.splitlines() == [
        "agent   cases  l1  pairs",
        "topics      3   3      0",
        "verses      4   3      1",
        "",
        "missing:",
        "  topics has 3 cases, and should have 4",
        "  topics has no case of the layer pairs",
        "",
    ]


def sections(ended):
    """The lists below the table, by the first words of their titles."""
    blocks = [block.splitlines() for block in ended.stdout.split("\n\n")]
    return {first.strip(":").partition(",")[0]: rest for first, *rest in blocks}


def test_strange_agents_and_broken_files_are_named_beside_what_is_covered(jweval, project, covered, case):
    root = project(
        {
            **covered,
            "golden/l1/strange.yaml": case("strange", "verse"),
            "golden/l1/broken.yaml": "id: broken\nagent: verses\nlayer: l1\ninput: {}\nexpectd: {}\n",
        }
    )
    ended = jweval("coverage", cwd=root)
    assert ended.returncode == 0
    assert "  verse (did you mean 'verses'?): golden/l1/strange.yaml:1" in sections(ended)["not registered"]
    unread = sections(ended)["not readable"]
    assert any(line.startswith("  golden/l1/broken.yaml:5:1: unknown key 'expectd'") for line in unread)
    assert "missing" not in sections(ended)


def test_a_project_elsewhere_with_spaces_and_accents(jweval, project, tmp_path, covered):
    root = project(covered, "un proyecto año [1]")
    assert jweval("coverage", "--rootdir", str(root), cwd=tmp_path).returncode == 0


def test_a_terminal_that_is_not_utf_8_shows_escapes(jweval, project, covered):
    agents = "def pytest_jweval_agents(config): return {'ñandú': print}"
    ended = jweval(
        "coverage", cwd=project({**covered, "conftest.py": agents}), PYTHONIOENCODING="ascii:strict"
    )
    assert ended.returncode == 1
    assert r"\xf1and\xfa has 0 cases" in ended.stdout


def test_what_addopts_would_leave_out_is_counted_all_the_same(jweval, project, covered):
    addopts = "-k verses_1 --maxfail=1 --lf --pdb --jw-layer l2 --junitxml=out.xml --jw-report json:out.json"
    root = project(
        {
            **covered,
            "pytest.ini": f"{covered['pytest.ini']}testpaths = tests\naddopts = {addopts}\n",
            "tests/test_own.py": "raise AssertionError('it was imported')",
            "golden/a/test_broken.py": "import no_such_module_anywhere",
            ".pytest_cache/v/cache/lastfailed": '{"golden/l1/verses.yaml::verses_1": true}',
        }
    )
    ended = jweval("coverage", cwd=root)
    assert ended.stderr == ""
    assert ended.stdout.splitlines()[:3] == ["agent   cases  l1", "topics      3   3", "verses      3   3"]
    assert ended.returncode == 0
    assert not (root / "out.xml").exists(), "the junit file of the last run was written over"
    assert not (root / "out.json").exists(), "the report of the last run was written over"


def test_under_xdist_the_cases_are_collected_here(jweval, project, covered):
    pytest.importorskip("xdist")
    root = project({**covered, "pytest.ini": covered["pytest.ini"] + "addopts = -n 2\n"})
    assert jweval("coverage", cwd=root).returncode == 0


def test_agents_of_a_nested_conftest_and_of_ini_are_registered_too(jweval, project, case):
    root = project(
        {
            "pytest.ini": "[pytest]\npythonpath = .\njweval_agents = by_ini = house:agent\n",
            "house.py": "def agent(question): ...",
            "golden/deep/conftest.py": "def pytest_jweval_agents(config): return {'deep': print}",
            "golden/deep/one.yaml": case("deep_one", "deep"),
            "golden/one.yaml": case("one", "by_ini"),
        }
    )
    ended = jweval("coverage", "--min", "1", cwd=root)
    assert ended.stdout.splitlines()[1:3] == ["by_ini      1   1", "deep        1   1"]
    assert ended.returncode == 0


def test_an_agent_that_another_folder_registers_is_not_known_here(jweval, project, covered, case):
    root = project(
        {
            **covered,
            "golden/deep/conftest.py": "def pytest_jweval_agents(config): return {'deep': print}",
            "golden/deep/one.yaml": case("deep_one", "deep"),
            "golden/one.yaml": case("one", "deep"),
        }
    )
    ended = jweval("coverage", cwd=root)
    assert "  deep (it is registered for another folder): golden/one.yaml:1" in ended.stdout
    assert "golden/deep" not in ended.stdout


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("conftest.py", "import no_such_module_anywhere", "No module named 'no_such_module_anywhere'"),
        (
            "pytest.ini",
            "[pytest]\njweval_review = maybe\n",
            "ini jweval_review: 'maybe': expected fail or skip",
        ),
        ("pytest.ini", "[pytest]\naddopts = --no-such-option\n", "unrecognized arguments: --no-such-option"),
    ],
)
def test_what_keeps_pytest_from_collecting_is_shown_and_exits_2(jweval, project, name, text, said, covered):
    ended = jweval("coverage", cwd=project({**covered, name: text}))
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "The golden cases can't be collected. pytest ended with exit code 4:" in ended.stderr
    assert "Traceback (most recent call last)" not in ended.stderr


def test_a_hook_that_raises_is_named_with_its_place(jweval, project, covered):
    root = project(
        {**covered, "conftest.py": "def pytest_jweval_agents(config):\n    raise OSError('no disk')"}
    )
    ended = jweval("coverage", cwd=root)
    assert ended.returncode == 1
    assert "a pytest_jweval_agents hook raised OSError: no disk" in ended.stdout
    assert "conftest.py:2" in ended.stdout


def test_agents_given_by_a_fixture_are_said_to_be_out_of_sight(jweval, project, covered):
    fixture = "import pytest\n\n@pytest.fixture(scope='session')\ndef jw_agents(): return {'verses': print}\n"
    ended = jweval("coverage", cwd=project({**covered, "conftest.py": fixture}))
    assert ended.returncode == 1
    assert "agents given by the fixture jw_agents in conftest.py: use the hook" in ended.stdout
