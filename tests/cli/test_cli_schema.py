import json

import pytest

from pytest_jweval.schema import as_text, case_schema


def test_the_schema_is_printed(jweval):
    ended = jweval("schema")
    assert ended.returncode == 0
    assert ended.stdout == as_text(case_schema())


def test_the_schema_is_json_on_every_terminal(jweval):
    assert json.loads(jweval("schema", PYTHONIOENCODING="ascii").stdout) == case_schema()


def test_out_writes_a_file_and_says_so(jweval, tmp_path):
    ended = jweval("schema", "--out", "a folder/case.schema.json")
    assert (ended.returncode, ended.stdout) == (0, "wrote a folder/case.schema.json\n")
    assert (tmp_path / "a folder/case.schema.json").read_text(encoding="utf-8") == as_text(case_schema())


def test_a_file_that_cannot_be_written_is_one_line(jweval, tmp_path):
    (tmp_path / "file").touch()
    ended = jweval("schema", "--out", "file/case.schema.json")
    assert ended.returncode == 2
    assert ended.stderr.startswith("file/case.schema.json can't be written: ")
    assert ended.stderr.count("\n") == 1


OWN_LAYER = """
from pydantic import BaseModel, Field

class Expected(BaseModel):
    tone: str = Field(description="Cálido, por ejemplo.")

class Tone:
    name = "l4"
    schema = Expected
    needs_agent = True
    def evaluate(self, context): ...

def pytest_jweval_register(registry, config):
    registry.layers["l4"] = Tone
"""


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_layers_of_a_project_are_included(jweval, project, encoding):
    root = project({"conftest.py": OWN_LAYER, "pytest.ini": "[pytest]\njweval_golden = golden\n"})
    ended = jweval("schema", "--rootdir", str(root), PYTHONIOENCODING=encoding)
    schema = json.loads(ended.stdout)
    assert "l4" in schema["$defs"]["case"]["properties"]["layer"]["enum"]
    assert schema["$defs"]["expected_l4"]["properties"]["tone"]["description"] == "Cálido, por ejemplo."


def test_what_keeps_pytest_from_starting_is_shown(jweval, project):
    root = project({"conftest.py": "import no_such_module_anywhere"})
    ended = jweval("schema", "--rootdir", str(root))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "No module named 'no_such_module_anywhere'" in ended.stderr
    assert "pytest ended with exit code 4:" in ended.stderr


def test_a_project_without_the_plugin_has_no_layers_to_tell(jweval, project):
    root = project({"pytest.ini": "[pytest]\naddopts = -p no:jweval\n"})
    ended = jweval("schema", "--rootdir", str(root))
    assert ended.returncode == 2
    assert ended.stderr == "pytest-jweval is switched off in this project: jweval doctor says more.\n"
