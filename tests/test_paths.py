"""Which files below a golden folder are cases."""

from pathlib import Path, PurePosixPath

import pytest

from pytest_jweval.paths import case_files, is_case_file

ROOT = PurePosixPath("golden")


@pytest.mark.parametrize(
    "name",
    ["a.yaml", "a.yml", "a.json", "a.cases.jsonl", "l1/a.yaml", "a.b.yaml", "schema.json", "fixtures.yaml"],
)
def test_these_are_case_files(name: str) -> None:
    assert is_case_file(ROOT / name, ROOT)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "a.txt",
            "a.py",
            "a.jsonl",
            "a.yaml.bak",
            "a.YAML",
            "yaml",
            "case.schema.json",
            "deep/case.schema.json",
        ),
        *("fixtures/a.yaml", "data/a.json", "corpus/a.yaml", "l1/data/deep/a.yaml"),
    ],
)
def test_these_are_none(name: str) -> None:
    assert not is_case_file(ROOT / name, ROOT)


def test_a_golden_folder_may_itself_lie_in_a_folder_of_data() -> None:
    root = PurePosixPath("/home/data/golden")
    assert is_case_file(root / "a.yaml", root)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    golden = tmp_path / "golden"
    for name in ["b.yaml", "a/z.yaml", "a/b/c.json", "c.cases.jsonl", "a.yml", "d.txt", "case.schema.json"]:
        (golden / name).parent.mkdir(parents=True, exist_ok=True)
        (golden / name).touch()
    return golden


def found(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in case_files(root)]


WANTED = ["a/b/c.json", "a/z.yaml", "a.yml", "b.yaml", "c.cases.jsonl"]


def test_case_files_are_found_in_one_order_everywhere(golden: Path) -> None:
    assert found(golden) == WANTED


@pytest.mark.parametrize("folder", [".git", ".hidden/deep", "data", "a/fixtures", "corpus/es"])
def test_hidden_folders_and_folders_of_data_are_left_out(folder: str, golden: Path) -> None:
    (golden / folder).mkdir(parents=True)
    (golden / folder / "a.yaml").touch()
    (golden / ".hidden.yaml").touch()
    assert found(golden) == WANTED


def test_a_folder_called_like_a_file_is_a_folder(golden: Path) -> None:
    (golden / "x.yaml").mkdir()
    (golden / "x.yaml" / "inner.yaml").touch()
    assert found(golden) == [*WANTED, "x.yaml/inner.yaml"]


def test_links_to_files_count_also_when_they_dangle(golden: Path) -> None:
    (golden / "link.yaml").symlink_to(golden / "b.yaml")
    (golden / "lost.yaml").symlink_to("nowhere")
    assert found(golden) == [*WANTED, "link.yaml", "lost.yaml"]


def test_links_to_folders_are_not_followed_so_that_a_circle_ends(golden: Path) -> None:
    (golden / "again").symlink_to(golden)
    (golden / "again.yaml").symlink_to(golden)
    assert found(golden) == WANTED


def test_a_file_that_is_named_itself_is_the_only_one(golden: Path) -> None:
    assert list(case_files(golden / "d.txt")) == [golden / "d.txt"]
