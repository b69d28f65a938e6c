"""Which cases run: layers, agents, tags, shards, and the repeated `-m`."""

import pytest
from projects import Project, ids

from pytest_jweval.records import ID_PATTERN

LAYERS = """
    from pydantic import BaseModel
    from pytest_jweval import Ruling

    class Nothing(BaseModel):
        pass

    class Fine:
        schema = Nothing
        needs_agent = False

        def __init__(self, name):
            self.name = name

        def evaluate(self, context):
            return Ruling(verdict="pass")

    def pytest_jweval_register(registry, config):
        for name in ("l4", "l5"):
            registry.layers[name] = Fine(name)

    def pytest_jweval_agents(config):
        return {"verses": lambda question: "a text", "notes": lambda question: "a text"}
"""


@pytest.fixture
def mixed(project: Project) -> Project:
    """Cases of three layers, two agents and two tags, and one ordinary test."""
    project.write("conftest.py", LAYERS)
    project.case("one", tags=["blue"])
    project.case("two", agent="notes", marks=["slow"], tags=["blue", "red"])
    project.case("four", layer="l4", expected={})
    project.case("five", layer="l5", expected={}, tags=["red"])
    project.write("test_plain.py", "def test_plain(): pass\n")
    return project


def chosen(project: Project, *args: str) -> set[str]:
    run = project.run("--co", "-q", *args)
    return {line.rpartition("::")[2] for line in ids(run.text)}


def test_everything_runs_if_nothing_is_chosen(mixed: Project):
    assert chosen(mixed) == {"one", "two", "four", "five", "test_plain"}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--jw-layer", "l1"], {"one", "two"}),
        (["--jw-layer", "l1,l4"], {"one", "two", "four"}),
        (["--jw-layer=l1", "--jw-layer=l5"], {"one", "two", "five"}),
        (["--jw-agent", "notes"], {"two"}),
        (["--jw-agent", "notes, verses", "--jw-layer", "l1"], {"one", "two"}),
        (["--jw-tag", "blue"], {"one", "two"}),
        (["--jw-tag", "blue,red", "--jw-layer", "l5"], {"five"}),
        (["-m", "l1"], {"one", "two"}),
        (["-m", "l1", "-m", "l4"], {"one", "two", "four"}),
        (["-ml4", "-m=l5"], {"four", "five"}),
        (["-m", "l1 and not slow"], {"one"}),
        (["-m", "not l1"], {"four", "five", "test_plain"}),
        (["-m", "l1", "-m", "l4 or l5"], {"four", "five"}),
        (["-m", "l1", "-k", "two"], {"two"}),
    ],
)
def test_options_and_marks_choose(mixed: Project, args: list[str], expected: set[str]):
    assert chosen(mixed, *args) == expected


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_two_layers_by_repeated_m_also_under_xdist(mixed: Project, workers: str):
    run = mixed.run("-p", "xdist", workers, "-m", "l1", "-m", "l4")
    assert run.verdicts == {"one": "pass", "two": "pass", "four": "pass"}


def test_a_users_m_still_overrides_the_one_in_addopts(mixed: Project):
    mixed.ini("addopts = -m l1\n")
    assert chosen(mixed) == {"one", "two"}
    assert chosen(mixed, "-m", "l4") == {"four"}
    assert chosen(mixed, "-m", "l4", "-m", "l5") == {"four", "five"}


def test_ini_chooses_and_the_command_line_overrides_it(mixed: Project):
    mixed.ini("jweval_layer = l4\njweval_tag = red\n")
    assert chosen(mixed) == set()
    assert chosen(mixed, "--jw-layer", "l5") == {"five"}


def test_what_was_not_chosen_is_counted_as_deselected(mixed: Project):
    run = mixed.run("--jw-layer", "l4")
    assert run.counts == {"passed": 1, "deselected": 4}


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
@pytest.mark.parametrize("args", [["--jw-tag", "none"], ["--jw-layer", "l2"], ["-m", "l2", "-m", "l3"]])
def test_nothing_chosen_is_never_green(mixed: Project, workers: str, args: list[str]):
    assert mixed.run("-p", "xdist", workers, *args).exit == pytest.ExitCode.NO_TESTS_COLLECTED


def test_every_shard_together_is_the_whole_and_none_overlaps(project: Project):
    for number in range(40):
        project.case(f"case_{number}")
    project.write("test_plain.py", "def test_plain(): pass\n")
    parts = [chosen(project, "--jw-shard", f"{i}/3") for i in (1, 2, 3)]
    assert sum(map(len, parts)) == 41
    assert set().union(*parts) == {*(f"case_{n}" for n in range(40)), "test_plain"}
    assert all(len(part) > 5 for part in parts)


WRONG = {
    "--jw-layer l9": "--jw-layer: unknown layer 'l9' (known: bench, calibration, l1, l2, l3, l4, l5, pairs, scenario)",
    "--jw-layer calibrtion": "--jw-layer: unknown layer 'calibrtion' (did you mean 'calibration'?)",
    "--jw-agent vesres": "--jw-agent: unknown agent 'vesres' (did you mean 'verses'?)",
    "--jw-shard 5/3": "--jw-shard: '5/3' is no shard: expected I/N with 1 <= I <= N, such as 2/4",
    "--jw-shard 0/3": "--jw-shard: '0/3' is no shard: expected I/N with 1 <= I <= N, such as 2/4",
    "--jw-report xml:out.xml": "--jw-report: unknown report format 'xml' (known: json, md)",
    "--jw-report json": "--jw-report: 'json' names no report: expected FORMAT:PATH, such as json:report.json",
    "--jw-layer ,": "--jw-layer: expected a name",
}


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_option_is_one_line_and_exit_4(mixed: Project, option: str, workers: str):
    result = mixed.plain_run("-p", "xdist", workers, *option.split(" "))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == [f"ERROR: {WRONG[option]}"]
    assert "INTERNALERROR" not in result.stdout.str()


WRONG_INI = {
    "jweval_tag = it's": "ini jweval_tag: No closing quotation",
    "jweval_agent_timeout = soon": "ini jweval_agent_timeout: 'soon' is no number of seconds (0 switches the limit off)",
    "jweval_review = maybe": "ini jweval_review: 'maybe': expected fail or skip",
    "jweval_agents = verses": "ini jweval_agents: 'verses' names no agent: "
    "expected NAME = package.module:attr or NAME = http://…",
}


def test_an_agents_hook_that_raises_is_one_line_where_agents_are_chosen(project: Project):
    project.write("conftest.py", "def pytest_jweval_agents(config): raise OSError('no database')\n")
    result = project.plain_run("--jw-agent", "verses")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == [
        "ERROR: --jw-agent: a pytest_jweval_agents hook raised OSError: no database"
    ]


@pytest.mark.parametrize("line", WRONG_INI)
def test_a_wrong_ini_value_is_one_line_and_exit_4(mixed: Project, line: str):
    mixed.ini(line)
    result = mixed.plain_run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == [f"ERROR: {WRONG_INI[line]}"]


def test_a_name_from_a_conftest_that_is_loaded_later_is_not_refused(project: Project):
    project.write("conftest.py", "")
    project.ini("jweval_golden = golden\n")
    project.write("golden/conftest.py", LAYERS)
    project.case("one")
    project.case("four", layer="l4", expected={}, agent="notes")
    assert project.run("--jw-agent", "notes").verdicts == {"four": "pass"}
    assert project.run("--jw-layer", "l4", cwd=project.root).verdicts == {"four": "pass"}
    assert project.run("--strict-markers", "-m", "l4").verdicts == {"four": "pass"}


def test_help_names_every_option_and_ini_key(project: Project):
    text = project.plain_run("--help").stdout.str()
    for name in (
        "--jw-layer",
        "--jw-agent",
        "--jw-tag",
        "--jw-shard",
        "--jw-report",
        "jweval_golden",
        "jweval_agents",
    ):
        assert name in text


def test_every_layer_is_a_registered_mark(project: Project):
    text = project.plain_run("--markers").stdout.str()
    for layer in ("l1", "l2", "l3", "calibration", "bench", "pairs", "scenario"):
        assert ID_PATTERN.fullmatch(layer)
        assert f"@pytest.mark.{layer}: golden cases of the layer {layer}" in text


def test_a_broken_file_is_not_hidden_by_choosing_its_folders_layer(project: Project):
    project.case("fine")
    project.write("golden/l1/broken.yaml", "id: broken\nlayer: [\n")
    project.write("golden/other/nameless.yaml", "- [")
    assert project.run("-m", "l1").verdicts == {"fine": "pass", "broken": "error"}
    project.case("misspelt", layer="lx", file="golden/other/misspelt.yaml")
    assert project.run("--jw-layer", "l1").verdicts["misspelt"] == "error"
    (project.root / "golden/other/misspelt.yaml").unlink()
    assert project.run("--jw-layer", "l1").verdicts == {
        "fine": "pass",
        "broken": "error",
        "nameless": "error",
    }
