"""The doors: hooks and fixtures, as a project uses them."""

import pytest
from projects import Project

LAYER = """
    import pytest
    from pydantic import BaseModel
    from pytest_jweval import Miss, Ruling

    class PoliteExpected(BaseModel, extra="forbid"):
        says: str = "please"

    class Polite:
        name = "l4"
        schema = PoliteExpected
        needs_agent = True

        def evaluate(self, context):
            model = context.resource("llm")
            said = " ".join(finding.text for finding in context.answer.findings)
            evidence = {"model": model}
            if context.expected.says in said:
                return Ruling.on([], evidence)
            miss = Miss(reason=f"no {context.expected.says!r} was said", key=("expected", "says"))
            return Ruling.on([miss], evidence)

    def pytest_jweval_register(registry, config):
        registry.layers["l4"] = Polite

    def pytest_jweval_agents(config):
        return {"polite": lambda question: "yes, please"}
"""


def test_a_layer_of_the_projects_own_is_one_like_ours(project: Project):
    project.write("conftest.py", LAYER)
    project.write("golden/a.yaml", "id: kind\nagent: polite\nlayer: l4\ninput: {}\n")
    project.write("golden/b.yaml", "id: rude\nagent: polite\nlayer: l4\ninput: {}\nexpected:\n  says: no\n")
    project.write("golden/c.yaml", "id: typo\nagent: polite\nlayer: l4\ninput: {}\nexpected:\n  say: no\n")
    run = project.run("-m", "l4", "--strict-markers")
    assert run.verdicts == {"kind": "pass", "rude": "fail", "typo": "error"}
    assert ">    6 |   says: no" in run.text
    assert "golden/c.yaml:6:3: unknown key 'say' (did you mean 'says'?)" in run.reasons("typo")


def test_layers_ask_for_resources_by_fixture_and_a_nested_override_is_honoured(project: Project):
    project.write("conftest.py", LAYER)
    override = "import pytest\n@pytest.fixture(scope='session')\ndef jw_llm(): return {!r}\n"
    project.write("golden/near/conftest.py", override.format("near"))
    body = "id: {}\nagent: polite\nlayer: l4\ninput: {{}}\n"
    project.write("golden/far.yaml", body.format("far"))
    project.write("golden/near/near.yaml", body.format("near"))
    report = project.run().report
    assert report is not None
    models = {r.case_id: r.evidence["model"] for r in report.results}
    assert models == {"far": "Ollama('llama3.1:8b')", "near": "near"}


def test_a_layer_that_asks_for_what_nobody_provides_is_an_error(project: Project):
    project.write("conftest.py", LAYER.replace('context.resource("llm")', 'context.resource("telescope")'))
    project.write("golden/a.yaml", "id: one\nagent: polite\nlayer: l4\ninput: {}\n")
    run = project.run()
    assert run.verdicts == {"one": "error"}
    assert "jw_telescope" in run.reasons("one")


def test_a_layer_that_breaks_is_an_error_and_shows_where(project: Project):
    project.write("conftest.py", LAYER.replace('evidence = {"model": model}', "raise KeyError('oops')"))
    project.write("golden/a.yaml", "id: one\nagent: polite\nlayer: l4\ninput: {}\n")
    run = project.run()
    assert run.verdicts == {"one": "error"}
    assert "KeyError: 'oops'" in run.reasons("one")
    assert "raise KeyError('oops')" in run.text


RESULTS = """
    import pathlib, pytest

    LOG = pathlib.Path(__file__).with_name("seen.txt")

    def pytest_jweval_agents(config):
        return {"verses": lambda question: ["a text"]}

    def pytest_jweval_result(case, result):
        with LOG.open("a") as log:
            log.write(f"{case.id} {result.verdict}\\n")
        if case.id == "breaks":
            raise OSError("no disk")
"""


def test_the_result_hook_sees_every_case_that_ran(project: Project):
    project.write("conftest.py", RESULTS)
    project.case("good")
    project.case("bad", expected={"min_findings": 9})
    project.write("golden/broken.yaml", "id: broken\n")
    project.run()
    assert sorted((project.root / "seen.txt").read_text().splitlines()) == ["bad fail", "good pass"]


def test_a_result_hook_that_raises_makes_that_case_an_error(project: Project):
    project.write("conftest.py", RESULTS)
    project.case("breaks")
    project.case("good")
    run = project.run()
    assert run.verdicts == {"breaks": "error", "good": "pass"}
    assert "a pytest_jweval_result hook raised OSError: no disk" in run.reasons("breaks")


EVALUATE = """
    import pytest
    from pytest_jweval import GoldenCase, LayerResult

    CASE = {"id": "inline", "agent": "verses", "layer": "l1", "input": {"q": 1}, "expected": {"min_findings": 1}}

    def test_a_mapping(jw_evaluate):
        result = jw_evaluate(CASE)
        assert isinstance(result, LayerResult)
        assert (result.verdict, result.case_id, result.path) == ("pass", "inline", None)

    def test_a_case(jw_evaluate):
        result = jw_evaluate(GoldenCase(**{**CASE, "expected": {"min_findings": 3}}))
        assert result.verdict == "fail"
        assert result.misses[0].key == ("expected", "min_findings")

    def test_a_misspelt_key_is_refused_with_a_suggestion(jw_evaluate):
        with pytest.raises(Exception, match="unknown key 'imput' .did you mean 'input'"):
            jw_evaluate({**CASE, "imput": {}})

    def test_a_wrong_expectation_is_an_error(jw_evaluate):
        assert jw_evaluate({**CASE, "expected": {"min_finding": 1}}).verdict == "error"

    def test_an_unknown_agent_is_an_error(jw_evaluate):
        assert jw_evaluate({**CASE, "agent": "vesres"}).verdict == "error"

    class TestOverride:
        @pytest.fixture
        def jw_agents(self, jw_agents):
            return {**jw_agents, "mine": lambda question: [{"text": "mine", "source": "me"}] * 2}

        def test_inside(self, jw_evaluate):
            assert jw_evaluate({**CASE, "agent": "mine"}).verdict == "pass"
            assert jw_evaluate({**CASE, "id": "other"}).verdict == "pass"

    def test_outside(jw_evaluate):
        assert jw_evaluate({**CASE, "agent": "mine"}).verdict == "error"
"""


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_cases_written_in_python(project: Project, workers: str):
    project.write("test_inline.py", EVALUATE)
    run = project.run("-p", "xdist", workers)
    assert (run.exit, run.counts) == (0, {"passed": 7}), run.text
    assert run.report is not None
    assert run.report.results == ()


def test_the_agents_fixture_overridden_beside_the_files(project: Project):
    project.write(
        "golden/near/conftest.py",
        "import pytest\n@pytest.fixture(scope='session')\ndef jw_agents(): return {'verses': lambda q: []}\n",
    )
    project.case("far")
    project.case("near", file="golden/near/near.yaml")
    project.case("other", "notes", file="golden/near/other.yaml")
    assert project.run().verdicts == {"far": "pass", "near": "fail", "other": "pass"}


def test_every_fixture_is_documented(project: Project):
    text = project.plain_run("--fixtures").stdout.str()
    for name in ("agents", "llm", "generator", "nli", "embedder", "pages", "store", "judge", "evaluate"):
        assert f"jw_{name}" in text
    assert "no docstring available" not in text


def test_a_hook_in_a_conftest_without_optionalhook_breaks_only_without_us(project: Project):
    project.write("conftest.py", "def pytest_jweval_agents(config): return {}\n")
    project.write("test_plain.py", "def test_plain(): pass\n")
    assert project.plain_run().ret == 0
    project.plugins = []
    assert "unknown hook 'pytest_jweval_agents'" in project.plain_run().stdout.str()


def test_an_override_that_passes_agents_on_does_not_hide_the_nearest_hook(project: Project):
    """Whatever else is collected: the same verdicts for one file alone and for the whole folder."""
    project.write(
        "conftest.py",
        """
        import pytest

        def pytest_jweval_agents(config):
            return {"verses": lambda question: [{"text": "far", "source": "far"}]}

        @pytest.fixture(scope="session")
        def jw_agents(jw_agents):
            return {**jw_agents, "extra": lambda question: [{"text": "extra", "source": "extra"}]}
        """,
    )
    near = "def pytest_jweval_agents(config): return {'verses': lambda q: [{'text': 'near', 'source': 'near'}]}\n"
    project.write("golden/near/conftest.py", near)
    project.case("far", expected={"must_have_source": "far"})
    project.case("extra", "extra", expected={"must_have_source": "extra"})
    project.case("near", expected={"must_have_source": "near"}, file="golden/near/near.yaml")
    assert set(project.run().verdicts.values()) == {"pass"}
    assert project.run("golden/near").verdicts == {"near": "pass"}
    assert project.run("golden/l1").verdicts == {"far": "pass", "extra": "pass"}


def test_a_format_that_breaks_costs_no_other_report(project: Project):
    project.write(
        "conftest.py",
        """
        class Broken:
            def render(self, report):
                raise KeyError("no template")

        def pytest_jweval_register(registry, config):
            registry.reports["broken"] = Broken
        """,
    )
    run = project.run("--jw-report=broken:x.txt")
    assert run.exit == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: broken:x.txt can't be made: KeyError: 'no template'" in run.text
    assert run.report is not None
