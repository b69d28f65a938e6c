"""An answer is kept as long as somebody may ask for it again, and no longer."""

import pytest
from projects import Project

CONFTEST = """
    import gc

    class Reply(list):
        alive = 0
        most = 0

        def __init__(self, *parts):
            super().__init__(parts)
            Reply.alive += 1
            Reply.most = max(Reply.most, Reply.alive)

        def __del__(self):
            Reply.alive -= 1

    asked = []

    def agent(question):
        gc.collect()
        asked.append(question["q"])
        return Reply("a text")

    def pytest_jweval_agents(config):
        return {"verses": agent}

    def pytest_unconfigure(config):
        with open("told.txt", "w") as told:
            told.write(f"{asked} {Reply.most}")
"""


@pytest.fixture
def remembering(project: Project) -> Project:
    project.write("conftest.py", CONFTEST)
    return project


def told(project: Project) -> str:
    return (project.root / "told.txt").read_text()


@pytest.mark.parametrize("run", ["cold", "warm"])
def test_answers_nobody_will_ask_for_again_are_let_go(remembering: Project, run: str):
    for number in range(9):
        remembering.case(f"case_{number}", input={"q": number})
    for _ in range(1 if run == "cold" else 2):
        assert remembering.run().counts == {"passed": 9}
    numbers, _, most = told(remembering).rpartition(" ")
    assert numbers == str(list(range(9)))
    assert int(most) < 4


def test_an_answer_waits_for_its_last_asker(remembering: Project):
    remembering.case("a", input={"q": 1, "r": 2})
    remembering.case("b", input={"q": 2})
    remembering.case("c", input={"r": 2, "q": 1})
    assert remembering.run().counts == {"passed": 3}
    assert told(remembering).startswith("[1, 2] ")


def test_who_was_not_chosen_is_not_waited_for(remembering: Project):
    for number in range(9):
        remembering.case(f"case_{number}", input={"q": number})
        remembering.case(f"other_{number}", input={"q": number}, tags=["others"])
    assert remembering.run("-k", "case").counts == {"passed": 9, "deselected": 9}
    assert int(told(remembering).rpartition(" ")[2]) < 4


def test_a_rerun_is_not_another_asker(remembering: Project):
    remembering.case("a", input={"q": 1}, expected={"min_findings": 2})
    remembering.case("b", input={"q": 1})
    run = remembering.run("-p", "rerunfailures", "--reruns", "2")
    assert run.verdicts == {"a": "fail", "b": "pass"}
    assert told(remembering).startswith("[1, 1, 1] ")


def test_a_test_in_python_may_ask_for_any_answer(remembering: Project):
    remembering.case("a", input={"q": 1})
    remembering.write(
        "tests/test_it.py",
        """
        def test_it(jw_evaluate):
            case = {"id": "b", "agent": "verses", "layer": "l1", "input": {"q": 1}, "expected": {"min_findings": 1}}
            assert jw_evaluate(case).verdict == "pass"
        """,
    )
    assert remembering.run("-p", "no:randomly", "golden", "tests").counts == {"passed": 2}
    assert told(remembering).startswith("[1] ")
