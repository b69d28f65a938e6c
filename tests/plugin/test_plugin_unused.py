"""What the plugin costs a project that has no case: nothing."""

import json
import sys

import pytest
from projects import Project

WATCHED = """
import json, os, sys

WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT
seen = {"sockets": [], "written": [], "started": []}

def watch(event, args):
    if event.startswith("socket."):
        seen["sockets"].append(event)
    elif event == "open" and isinstance(args[2], int) and args[2] & WRITE:
        seen["written"].append(str(args[0]))
    elif event in ("subprocess.Popen", "os.mkdir"):
        seen["started"].append(f"{event} {args[0]}")

sys.addaudithook(watch)
import pytest
code = pytest.main(sys.argv[1:])
seen["modules"] = sorted({name.split(".")[0] for name in sys.modules})
seen["rooms"] = sorted(name for name in sys.modules if name.startswith("pytest_jweval."))
sys.stderr.write("SEEN " + json.dumps(seen))
sys.exit(int(code))
"""

HEAVY = {
    "yaml",
    "pydantic",
    "pydantic_core",
    "httpx",
    "jinja2",
    "numpy",
    "selectolax",
    "jsonschema",
    "asyncio",
}


def watched(project: Project, *args: str) -> dict[str, list[str]]:
    script = project.write("watched.py", WATCHED)
    command = [sys.executable, "-B", str(script), "-p", "no:cacheprovider", "--capture=sys", *args]
    result = project.pytester.run(*command)
    assert result.ret == 0, result.stderr.str()
    seen: dict[str, list[str]] = json.loads(result.stderr.str().partition("SEEN ")[2])
    return seen


@pytest.fixture
def plain(project: Project) -> Project:
    """A project with one test, and a folder called golden that is none of our business."""
    project.write("conftest.py", "")
    project.write("golden/k8s.yaml", "kind: Pod\n")
    project.write("golden/settings.json", "{}")
    project.write("test_plain.py", "def test_plain(): pass\n")
    return project


@pytest.mark.parametrize("args", [[], ["-m", "not slow"], ["-k", "plain"], ["-p", "xdist", "-n0"]])
def test_an_unused_plugin_imports_nothing_heavy_writes_nothing_and_opens_no_socket(
    plain: Project, args: list[str]
):
    with_us = watched(plain, "-p", "jweval", *args)
    without = watched(plain, *args)
    assert "pytest_jweval.plugin" in with_us["rooms"]
    assert without["rooms"] == []
    assert HEAVY & set(with_us["modules"]) - set(without["modules"]) == set()
    assert not {"yaml", "pydantic", "httpx", "jinja2", "numpy", "selectolax"} & set(with_us["modules"])
    assert with_us["sockets"] == without["sockets"] == []
    assert with_us["written"] == without["written"]
    assert with_us["started"] == without["started"]


def test_only_the_light_rooms_are_entered(plain: Project):
    rooms = {room.split(".")[1] for room in watched(plain, "-p", "jweval")["rooms"]}
    assert rooms == {
        "defaults",
        "errors",
        "hookspecs",
        "paths",
        "plugin",
        "registry",
        "settings",
        "texts",
        "values",
    }


def test_an_unused_plugin_prints_nothing(plain: Project):
    text = plain.plain_run().stdout.str()
    assert "golden cases" not in text
    assert text.count("jweval") == text.count("jweval-0.1.0")  # pytest's own list of plugins


def test_a_used_one_with_l1_cases_needs_no_http_no_templates_no_numbers(project: Project):
    project.case("one")
    seen = watched(project, "-p", "jweval")
    assert not {"httpx", "jinja2", "numpy", "selectolax", "jsonschema"} & set(seen["modules"])
    assert seen["sockets"] == []
