"""An id belongs to one case of a run."""

from pathlib import Path
from typing import Any

from pytest_jweval.loader import Ids

CASE = "id: %s\nlayer: bench\n"


def test_the_second_case_of_an_id_is_a_problem_that_names_both_places(loaded: Any) -> None:
    ids = Ids()
    first, other, again = loaded("---\n".join([CASE % "a", CASE % "b", "# note\n" + CASE % "a"]))
    assert ids.checked(first) is first
    assert ids.checked(other) is other
    twin = ids.checked(again)
    assert twin.case is None
    assert twin.name == "a[2]"
    (miss,) = twin.misses
    assert miss.reason == "the id 'a' is taken: first used at case.yaml:1"
    assert (miss.line, miss.column) == (8, 1)


def test_the_place_is_exact_also_in_braces(loaded: Any) -> None:
    ids = Ids()
    ids.checked(loaded("layer: bench\nid: a\n", "first.yaml")[0])
    (miss,) = ids.checked(loaded("--- {layer: bench, id: a}\n", "second.yaml")[0]).misses
    assert (miss.reason, miss.line, miss.column) == ("the id 'a' is taken: first used at first.yaml:2", 1, 20)


def test_every_further_case_of_an_id_is_a_problem(loaded: Any) -> None:
    ids = Ids()
    checked = [ids.checked(loaded(CASE % "a", f"{number}.yaml")[0]) for number in range(4)]
    assert [entry.case is None for entry in checked] == [False, True, True, True]
    assert len({miss.reason for entry in checked for miss in entry.misses}) == 1


def test_a_file_that_is_loaded_twice_is_no_duplicate_of_itself(tmp_path: Path, load_path: Any) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text("---\n".join([CASE % "a", CASE % "b"]))
    ids = Ids()
    assert all(ids.checked(entry) is entry for entry in [*load_path(path), *load_path(path)])


def test_the_same_place_in_two_files_is_two_places(tmp_path: Path, load_path: Any) -> None:
    ids = Ids()
    for name, is_case in (("a.yaml", True), ("b.yaml", False)):
        (tmp_path / name).write_text(CASE % "a")
        assert (ids.checked(load_path(tmp_path / name)[0]).case is not None) == is_case


def test_what_is_broken_takes_no_id(loaded: Any) -> None:
    ids = Ids()
    (broken,) = loaded("id: a\nlayer: l9\n", "broken.yaml")
    assert ids.checked(broken) is broken
    assert ids.checked(loaded(CASE % "a")[0]).case is not None
