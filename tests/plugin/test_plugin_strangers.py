"""Projects that never heard of us, and what makes a folder golden."""

import pytest
from projects import Project, ids

CASE = "id: one\nagent: a\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}\n"


@pytest.fixture
def stranger(project: Project) -> Project:
    """A project with a folder that happens to be called golden."""
    project.write("conftest.py", "")
    project.write("golden/k8s.yaml", "apiVersion: v1\nkind: Pod\n")
    project.write("golden/data.json", "[1, 2]")
    project.write("other/things.yaml", "id: x\n")
    project.write("test_plain.py", "def test_plain(): pass\n")
    return project


def found(project: Project, *args: str) -> list[str]:
    return list(ids(project.plain_run("--co", "-q", *args).stdout.str()))


def test_a_strangers_golden_folder_is_left_alone(stranger: Project):
    assert found(stranger) == ["test_plain.py::test_plain"]
    assert found(stranger, ".") == ["test_plain.py::test_plain"]


def test_also_when_it_is_the_current_folder(stranger: Project):
    result = stranger.plain_run("--co", "-q", cwd=stranger.root / "golden")
    assert list(ids(result.stdout.str())) == []


def test_an_installed_plugin_with_agents_does_not_claim_it(
    stranger: Project, monkeypatch: pytest.MonkeyPatch
):
    """Only the project itself speaks for its folders: here a plugin that came with a distribution."""
    site = stranger.root / "site"
    stranger.write("site/helpful.py", "def pytest_jweval_agents(config): return {}\n")
    stranger.write(
        "site/helpful-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: helpful\nVersion: 1.0\n"
    )
    stranger.write("site/helpful-1.0.dist-info/entry_points.txt", "[pytest11]\nhelpful = helpful\n")
    stranger.write("site/helpful-1.0.dist-info/RECORD", "helpful.py,,\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    result = stranger.plain_run("--co", "-q", "-p", "no:randomly", "--trace-config", subprocess=True)
    assert "helpful" in result.stdout.str()
    assert [i for i in ids(result.stdout.str()) if "golden" in i] == []


@pytest.mark.parametrize(
    "line", ["jweval_review = fail", "jweval_golden = golden", "jweval_agent_timeout = 5"]
)
def test_any_of_our_ini_keys_claims_it(stranger: Project, line: str):
    stranger.ini(line)
    assert found(stranger) == ["golden/data.json::data", "golden/k8s.yaml::k8s", "test_plain.py::test_plain"]


@pytest.mark.parametrize(
    "hook",
    [
        "def pytest_jweval_agents(config): return {}",
        "def pytest_jweval_register(registry, config): pass",
        "def pytest_jweval_prompt(scenario): pass",
        "def pytest_jweval_result(case, result): pass",
    ],
)
@pytest.mark.parametrize("place", ["conftest.py", "golden/conftest.py"])
def test_any_of_our_hooks_in_a_conftest_claims_it(stranger: Project, hook: str, place: str):
    stranger.write(place, hook)
    assert "golden/k8s.yaml::k8s" in found(stranger)


@pytest.mark.parametrize("arg", ["golden", "golden/", "./golden", "golden/k8s.yaml"])
def test_naming_it_on_the_command_line_claims_it(stranger: Project, arg: str):
    assert "golden/k8s.yaml::k8s" in found(stranger, arg)


def test_a_file_named_on_the_command_line_is_a_case_file_wherever_it_lies(project: Project):
    project.write("elsewhere/one.yaml", CASE)
    project.write("elsewhere/two.yaml", CASE)
    assert found(project, "elsewhere/one.yaml") == ["elsewhere/one.yaml::one"]
    assert found(project, "elsewhere") == []


def test_golden_folders_are_an_ini_key(project: Project):
    project.ini("jweval_golden =\n  evals/good\n  more\n")
    for folder in ("golden", "evals/good", "evals/bad", "more/deep"):
        project.write(
            f"{folder}/{folder.replace('/', '_')}.yaml", CASE.replace("one", folder.replace("/", "_"))
        )
    assert found(project) == ["evals/good/evals_good.yaml::evals_good", "more/deep/more_deep.yaml::more_deep"]


@pytest.mark.parametrize("folder", ["fixtures", "data", "corpus"])
def test_data_that_cases_name_is_no_case_file(project: Project, folder: str):
    project.write("golden/l1/one.yaml", CASE)
    project.write(f"golden/l1/{folder}/queries.yaml", "queries: []")
    project.write(f"golden/{folder}/deep/er.json", "{}")
    assert found(project) == ["golden/l1/one.yaml::one"]


def test_a_project_that_itself_lies_in_a_folder_called_data_is_no_exception(project: Project):
    project.write("data/proj/pytest.ini", "[pytest]\n")
    project.write("data/proj/golden/one.yaml", CASE)
    result = project.plain_run("--co", "-q", "golden", cwd=project.root / "data/proj")
    assert list(ids(result.stdout.str())) == ["golden/one.yaml::one"]


def test_python_tests_in_a_golden_folder_are_collected_as_ever(project: Project):
    project.write("golden/test_more.py", "def test_more(): pass\n")
    project.write("golden/one.yaml", CASE)
    assert found(project, "golden") == ["golden/one.yaml::one", "golden/test_more.py::test_more"]


@pytest.mark.parametrize("args", [["tests"], ["."], ["tests/package.json::x"], []])
def test_a_checkout_below_a_folder_called_golden_is_no_golden_folder(project: Project, args: list[str]):
    project.write("golden/app/pytest.ini", "[pytest]\n")
    project.write("golden/app/tests/package.yaml", "{}")
    project.write("golden/app/tests/package.json", "{}")
    project.write("golden/app/tests/test_plain.py", "def test_plain(): pass\n")
    result = project.plain_run("--co", "-q", "-c", "pytest.ini", *args[:1], cwd=project.root / "golden/app")
    found = [i for i in ids(result.stdout.str()) if "package.yaml" in i]
    assert found == []


@pytest.mark.parametrize("folder", ["../cases", "tests/../cases", "./cases/"])
@pytest.mark.parametrize("named", [True, False])
def test_an_ini_folder_may_be_written_in_any_way(project: Project, folder: str, named: bool):
    project.write("app/pytest.ini", f"[pytest]\njweval_golden = {folder}\n")
    (project.root / "app/tests").mkdir()
    place = project.root / "app" / folder
    project.write(str(place.resolve() / "one.yaml"), CASE)
    args = ["-c", "pytest.ini", *([folder] if named or folder == "../cases" else [])]
    result = project.plain_run("--co", "-q", *args, cwd=project.root / "app")
    assert [i.rpartition("::")[2] for i in ids(result.stdout.str())] == ["one"]


def test_a_golden_folder_that_is_not_there_is_told(project: Project):
    project.ini("jweval_golden =\n  golden\n  goldn\n")
    project.case("one")
    assert "WARNING: ini jweval_golden names 'goldn', and there is no such folder" in project.run().text


def test_a_golden_folder_named_data_inside_another_one(project: Project):
    project.ini("jweval_golden =\n  golden\n  golden/data\n")
    project.write("golden/one.yaml", CASE)
    project.write("golden/data/two.yaml", CASE.replace("one", "two"))
    assert set(found(project)) == {"golden/one.yaml::one", "golden/data/two.yaml::two"}


def test_inside_a_golden_folder_that_belongs_to_no_project(project: Project):
    project.write("pytest.ini", "")
    (project.root / "pytest.ini").unlink()
    project.write("golden/one.yaml", CASE)
    result = project.plain_run("--co", "-q", ".", "--rootdir=.", cwd=project.root / "golden")
    assert list(ids(result.stdout.str())) == ["one.yaml::one"]


def test_a_project_that_is_itself_called_golden_keeps_its_other_files(project: Project):
    project.write("golden/pytest.ini", "[pytest]\n")
    project.write("golden/tests/data.yaml", "{}")
    project.write("golden/golden/one.yaml", CASE)
    for args in (["."], ["tests"], ["golden"]):
        result = project.plain_run("--co", "-q", "-c", "pytest.ini", *args, cwd=project.root / "golden")
        assert "data.yaml" not in result.stdout.str()
    assert list(ids(result.stdout.str())) == ["golden/one.yaml::one"]
