"""Snapshots: what is saved is read again, and whatever is wrong with the folder is one clear line."""

import json
import os
import re
import time
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest

from pytest_jweval.errors import PageError
from pytest_jweval.web.snapshots import Snapshots, snapshot_path

URL = "https://example.org/es/juan-3"
HTML = '<!doctype html><meta charset="utf-8"><p>Porque de tal manera amó Dios al mundo – 神は世を愛された</p>'
NOON = datetime(2026, 5, 30, 12, tzinfo=UTC)
URLS = [
    URL,
    "https://example.org/",
    "https://example.org/Génesis/1?versión=«RV»",
    "https://例え.jp/聖書/ヨハネ#3",
    'https://example.org/a b\\c:d*e?f="g"<h>|i',
    "https://example.org/" + "á" * 2000,
    "https://example.org/" + "%2e%2e/" * 300,
    "../../../etc/passwd",
    "C:\\Windows\\con.html",
    "",
]


@pytest.fixture
def snapshots(tmp_path):
    return Snapshots(tmp_path / "snapshots")


@pytest.fixture
def save(snapshots):
    def save(url=URL, html=HTML, **fields):
        return snapshots.save(url, html, **{"status": 200, "fetched_at": NOON, **fields})

    return save


def contents(snapshots):
    return json.loads((snapshots.root / "manifest.json").read_text("utf-8"))


def reasons(snapshots):
    return [(problem.file, problem.reason) for problem in snapshots.check()]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_snapshot_is_named_after_its_url(tmp_path):
    name = f"{sha256(URL.encode()).hexdigest()}.html"
    assert snapshot_path(tmp_path, URL) == tmp_path / name
    assert snapshot_path(str(tmp_path), URL) == tmp_path / name
    assert snapshot_path("snapshots", "https://example.org/Génesis").name == (
        f"{sha256('https://example.org/Génesis'.encode()).hexdigest()}.html"
    )


@pytest.mark.parametrize("url", [*URLS, "https://example.org/\udc80"])
def test_every_url_has_a_name_that_every_file_system_takes(url, tmp_path):
    path = snapshot_path(tmp_path, url)
    assert re.fullmatch(r"[0-9a-f]{64}\.html", path.name)
    assert path.parent == tmp_path


def test_what_was_saved_is_read_again_with_where_it_came_from(snapshots, save):
    path = save(etag='W/"5e"', last_modified="Sat, 30 May 2026 11:00:00 GMT", final_url=f"{URL}/")
    assert path == snapshots.path(URL)
    assert snapshots.has(URL)
    assert snapshots.read(URL) == HTML
    assert path.read_bytes() == HTML.encode()
    meta = snapshots.meta(URL)
    assert (meta.url, meta.final_url, meta.status, meta.fetched_at) == (URL, f"{URL}/", 200, NOON)
    assert (meta.etag, meta.last_modified) == ('W/"5e"', "Sat, 30 May 2026 11:00:00 GMT")
    assert (meta.sha256, meta.bytes) == (sha256(HTML.encode()).hexdigest(), len(HTML.encode()))
    assert snapshots.entries() == {path.name: meta}
    assert snapshots.check() == []


def test_another_process_reads_the_same(snapshots, save):
    save()
    other = Snapshots(str(snapshots.root))
    assert other.read(URL) == HTML
    assert other.meta(URL) == snapshots.meta(URL)


def test_where_nothing_was_saved_there_is_nothing(snapshots):
    assert not snapshots.has(URL)
    assert snapshots.read(URL) is None
    assert snapshots.meta(URL) is None
    assert snapshots.as_fetched(URL) is None
    assert snapshots.entries() == {}
    assert snapshots.check() == []
    assert snapshots.remove([URL]) == []
    assert snapshots.prune([], dry_run=False) == []
    assert not snapshots.root.exists()


def test_only_the_first_save_makes_the_folder(snapshots, save):
    save()
    assert names(snapshots.root) == sorted([".lock", snapshots.path(URL).name, "manifest.json"])


@pytest.mark.parametrize("url", [url for url in URLS if url])
def test_any_url_can_be_saved(url, snapshots, save):
    save(url, HTML)
    assert Snapshots(snapshots.root).read(url) == HTML
    assert snapshots.check() == []
    assert snapshots.prune([url], dry_run=False) == []


def test_urls_that_differ_in_their_fragment_share_a_page(snapshots, save):
    assert save(f"{URL}#v16") == save(f"{URL}#v17") == snapshots.path(URL)
    assert snapshots.read(f"{URL}#v18") == HTML
    assert [entry["url"] for entry in contents(snapshots)["pages"].values()] == [URL]


def test_saving_again_replaces_page_and_entry(snapshots, save):
    save(etag="1", final_url="https://example.org/old")
    save(html="<p>new", status=203, fetched_at=NOON + timedelta(days=1))
    meta = snapshots.meta(URL)
    assert snapshots.read(URL) == "<p>new"
    assert (meta.status, meta.etag, meta.final_url) == (203, None, None)
    assert meta.fetched_at == NOON + timedelta(days=1)
    assert snapshots.check() == []


def test_a_final_url_that_is_the_url_is_not_told_twice(snapshots, save):
    save(f"{URL}#v16", final_url=URL)
    assert snapshots.meta(URL).final_url is None


def test_the_manifest_reads_well_in_a_diff(snapshots, save):
    urls = [f"https://example.org/página/{number}" for number in range(5)]
    for url in urls:
        save(url, "<p>x", etag="")
    text = (snapshots.root / "manifest.json").read_bytes().decode()
    found = json.loads(text)
    assert text == json.dumps(found, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    assert list(found["pages"]) == sorted(snapshots.path(url).name for url in urls)
    assert found["format"] == 1
    assert "página/3" in text
    assert found["pages"][snapshots.path(urls[0]).name] == {
        "url": urls[0],
        "fetched_at": "2026-05-30T12:00:00Z",
        "status": 200,
        "sha256": sha256(b"<p>x").hexdigest(),
        "bytes": 4,
    }


def test_nothing_in_the_folder_knows_the_machine(snapshots, save, tmp_path):
    save()
    save("https://example.org/2")
    for path in snapshots.root.iterdir():
        assert str(tmp_path) not in path.read_text("utf-8")


def test_the_order_of_saving_doesnt_show(tmp_path):
    urls = [f"https://example.org/{number}" for number in range(4)]
    for folder, order in (("a", urls), ("b", urls[::-1])):
        for url in order:
            Snapshots(tmp_path / folder).save(url, HTML, status=200, fetched_at=NOON)
    assert (tmp_path / "a/manifest.json").read_bytes() == (tmp_path / "b/manifest.json").read_bytes()


def test_times_are_kept_in_whole_seconds_of_utc(snapshots, save):
    save(fetched_at=datetime(2026, 5, 30, 14, 0, 0, 999_999, timezone(timedelta(hours=2))))
    assert snapshots.meta(URL).fetched_at == NOON
    assert contents(snapshots)["pages"][snapshots.path(URL).name]["fetched_at"] == "2026-05-30T12:00:00Z"


def test_a_page_without_an_entry_is_read_as_usual(snapshots, save):
    save("https://example.org/other")
    snapshots.path(URL).write_text(HTML, "utf-8")
    assert snapshots.has(URL)
    assert snapshots.read(URL) == HTML
    assert snapshots.meta(URL) is None
    assert snapshots.as_fetched(URL) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + HTML.encode(),
        b"\xff\xfe" + HTML.encode("utf-16-le"),
        '<meta charset="iso-8859-1"><p>amó'.encode("latin-1"),
        "<p>amó".encode("cp1252"),
    ],
    ids=["BOM", "UTF-16", "Latin-1", "undeclared"],
)
def test_a_page_that_a_person_saved_in_another_charset_is_read(snapshots, save, data):
    save("https://example.org/other")
    snapshots.path(URL).write_bytes(data)
    assert "amó" in snapshots.read(URL)
    assert "\ufeff" not in snapshots.read(URL)


@pytest.mark.parametrize(
    "html",
    [
        '<meta charset="iso-8859-1"><p>amó Dios – 神',
        '<meta charset="utf-16"><p>amó',
        '<meta charset="no-such-charset"><p>amó',
        "\ufeff<p>amó",
        '\ufeff<meta charset="latin1"><p>amó',
        "",
        "<p>one\r\ntwo\rthree\n",
        "<p>\x00\x85",
    ],
)
def test_what_a_page_says_of_its_charset_cant_spoil_it(snapshots, save, html):
    save(html=html)
    assert snapshots.read(URL) == html


def test_half_a_character_is_saved_as_html_has_it(snapshots, save):
    save(html="<p>\udc80")
    assert snapshots.read(URL) == "<p>&#56448;"


def test_a_touch_changes_nothing_but_the_time(snapshots, save):
    save(etag="1", final_url="https://example.org/final")
    before = snapshots.meta(URL)
    snapshots.touch(f"{URL}#v16", NOON + timedelta(hours=1, microseconds=5))
    after = snapshots.meta(URL)
    assert after == before.model_copy(update={"fetched_at": NOON + timedelta(hours=1)})
    assert snapshots.check() == []


def test_what_is_not_in_the_manifest_cant_be_touched(snapshots, save):
    save("https://example.org/other")
    with pytest.raises(PageError, match=f"^{URL} has no entry in .*manifest.json$"):
        snapshots.touch(URL, NOON)
    with pytest.raises(PageError, match="can't be written: No such file"):
        Snapshots(snapshots.root / "missing").touch(URL, NOON)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"fetched_at": NOON.replace(tzinfo=None)}, "'fetched_at'"),
        ({"fetched_at": "yesterday"}, "'fetched_at'"),
        ({"status": "200"}, "'status' must be a whole number, not the text '200'"),
        ({"url": ""}, "'url' must not be empty"),
        ({"url": "https://example.org/\udc80"}, "'url'"),
    ],
)
def test_what_the_manifest_cant_hold_is_refused_before_anything_is_written(snapshots, save, fields, reason):
    with pytest.raises(PageError, match="can't be kept: ") as caught:
        save(**fields)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not snapshots.root.exists()


def test_only_a_page_as_it_was_fetched_may_be_asked_for_with_its_etag(snapshots, save):
    path = save(etag="1")
    assert snapshots.as_fetched(URL) == snapshots.meta(URL)
    path.write_text("<p>edited", "utf-8")
    assert snapshots.as_fetched(URL) is None
    path.unlink()
    assert snapshots.as_fetched(URL) is None
    assert snapshots.meta(URL).etag == "1"


def test_a_manifest_that_another_process_wrote_is_seen(snapshots, save):
    save()
    assert snapshots.meta(URL).status == 200
    other = Snapshots(snapshots.root)
    other.save(URL, HTML, status=203, fetched_at=NOON)
    assert snapshots.meta(URL).status == 203
    (snapshots.root / "manifest.json").unlink()
    assert snapshots.meta(URL) is None


def test_removing_takes_page_and_entry(snapshots, save):
    path = save(f"{URL}#v16")
    kept = save("https://example.org/other")
    assert snapshots.remove([URL, "https://example.org/never"]) == [path]
    assert not path.exists()
    assert list(contents(snapshots)["pages"]) == [kept.name]
    assert snapshots.check() == []


def test_pruning_removes_what_no_case_cites(snapshots, save):
    urls = [f"https://example.org/{number}" for number in range(4)]
    paths = [save(url) for url in urls]
    by_hand = snapshots.path("https://example.org/by-hand")
    by_hand.write_text(HTML, "utf-8")
    paths[2].unlink()
    doomed = sorted([paths[1], paths[2], by_hand])
    keep = [f"{urls[0]}#v1", urls[3], "https://example.org/never-saved"]
    before = names(snapshots.root)
    assert snapshots.prune(keep, dry_run=True) == doomed
    assert names(snapshots.root) == before
    assert snapshots.prune(iter(keep), dry_run=False) == doomed
    assert snapshots.prune(keep, dry_run=False) == []
    assert [snapshots.has(url) for url in urls] == [True, False, False, True]
    assert snapshots.check() == []


def test_pruning_leaves_what_is_not_named_like_a_snapshot(snapshots, save):
    path = save()
    others = [
        "README.md",
        "page.html",
        path.stem,
        f"{path.stem}.htm",
        f"{path.stem.upper()}.html",
        f"{path.name}.bak",
    ]
    for name in others:
        (snapshots.root / name).touch()
    (snapshots.root / f"{'0' * 64}.html").mkdir()
    snapshots.prune([], dry_run=False)
    assert names(snapshots.root) == sorted([*others, f"{'0' * 64}.html", ".lock", "manifest.json"])


def test_checking_names_each_thing_that_is_wrong(snapshots, save):
    urls = {
        what: f"https://example.org/{what}"
        for what in ("fine", "edited", "missing", "empty", "misnamed", "folder")
    }
    paths = {what: save(url) for what, url in urls.items()}
    paths["edited"].write_text(HTML + " ", "utf-8")
    paths["missing"].unlink()
    paths["empty"].write_text(" \n")
    paths["folder"].unlink()
    paths["folder"].mkdir()
    stranger = snapshots.path("https://example.org/by-hand")
    stranger.write_text(HTML, "utf-8")
    found = contents(snapshots)
    found["pages"][paths["misnamed"].name]["url"] = "https://example.org/renamed"
    (snapshots.root / "manifest.json").write_text(json.dumps(found))
    (snapshots.root / "README.md").touch()
    assert reasons(snapshots) == sorted(
        [
            (paths["edited"].name, "is not what was fetched: edited by hand, or a save was killed"),
            (paths["missing"].name, "is in the manifest, but there is no such file"),
            (paths["empty"].name, "is empty"),
            (paths["misnamed"].name, "is not named after the URL that the manifest has for it"),
            (paths["folder"].name, f"{paths['folder']} can't be read: Is a directory"),
            (stranger.name, "is not in the manifest: put there by hand, or a save was killed"),
        ]
    )
    edited = next(problem for problem in snapshots.check() if problem.file == paths["edited"].name)
    assert str(edited) == f"{edited.file}: {edited.reason} ({urls['edited']})"


DAMAGED = {
    "half": '{"format": 1, "pages": {"',
    "empty": "",
    "no mapping": "[]",
    "text": '"x"',
    "conflict": '<<<<<<< ours\n{"format": 1, "pages": {}}\n=======\n',
    "no format": '{"pages": {}}',
    "no pages": '{"format": 1}',
    "unknown key": '{"format": 1, "pages": {}, "more": 1}',
    "pages as a list": '{"format": 1, "pages": []}',
    "a path for a name": '{"format": 1, "pages": {"../../x.html": {}}}',
    "deep": "[" * 100_000,
    "a long number": '{"format": ' + "9" * 5000 + ', "pages": {}}',
    "no UTF-8": '{"format": 1, "pages": {"caf\xe9": {}}}',
    "old format": '{"format": 0, "pages": {}}',
    "later format": '{"format": 2, "pages": {}, "new": true}',
    "later entry": json.dumps(
        {
            "format": 1,
            "pages": {
                f"{'0' * 64}.html": {
                    "url": URL,
                    "fetched_at": "2026-05-30T12:00:00Z",
                    "status": 200,
                    "sha256": "0" * 64,
                    "bytes": 1,
                    "signed_by": "x",
                }
            },
        }
    ),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_manifest_stops_writing_and_is_never_overwritten(snapshots, save, damage):
    path = save()
    manifest = snapshots.root / "manifest.json"
    data = DAMAGED[damage].encode("latin-1")
    manifest.write_bytes(data)
    before = names(snapshots.root)
    for write in (
        lambda: save("https://example.org/2"),
        lambda: save(html="<p>new"),
        lambda: snapshots.touch(URL, NOON),
        lambda: snapshots.remove([URL]),
        lambda: snapshots.prune([], dry_run=False),
    ):
        with pytest.raises(PageError) as caught:
            write()
        line = str(caught.value)
        assert line.startswith(f"{manifest} is damaged: ")
        assert "\n" not in line and len(line) < len(str(manifest)) + 300
    assert manifest.read_bytes() == data
    assert names(snapshots.root) == before
    assert path.read_text("utf-8") == HTML


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_manifest_stops_no_reading(snapshots, save, damage):
    save()
    (snapshots.root / "manifest.json").write_bytes(DAMAGED[damage].encode("latin-1"))
    assert snapshots.has(URL)
    assert snapshots.read(URL) == HTML
    assert snapshots.as_fetched(URL) is None
    (problem,) = snapshots.check()
    assert problem.file == "manifest.json"
    assert "is damaged" in problem.reason
    for ask in (lambda: snapshots.meta(URL), snapshots.entries):
        with pytest.raises(PageError, match="is damaged"):
            ask()


def test_a_later_format_is_refused_with_a_word(snapshots, save):
    save()
    (snapshots.root / "manifest.json").write_text(DAMAGED["later format"])
    with pytest.raises(PageError, match="it has format 2, and this pytest-jweval knows format 1 only"):
        save()
    (snapshots.root / "manifest.json").write_text(DAMAGED["later entry"])
    with pytest.raises(PageError, match="unknown key 'signed_by'"):
        save()


def test_a_manifest_with_a_bom_is_read(snapshots, save):
    save()
    manifest = snapshots.root / "manifest.json"
    manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes().replace(b"\n", b"\r\n"))
    save("https://example.org/2")
    assert snapshots.check() == []


def test_a_file_in_place_of_the_folder_says_so(tmp_path):
    root = tmp_path / "snapshots"
    root.write_text("no folder")
    snapshots = Snapshots(root)
    for act in (
        lambda: snapshots.save(URL, HTML, status=200, fetched_at=NOON),
        lambda: snapshots.read(URL),
        lambda: snapshots.meta(URL),
        lambda: snapshots.touch(URL, NOON),
        lambda: snapshots.remove([URL]),
        lambda: snapshots.prune([], dry_run=False),
        snapshots.check,
    ):
        with pytest.raises(PageError, match=f"^{re.escape(str(root))}.* can't be (read|written): "):
            act()
    assert not snapshots.has(URL)
    assert root.read_text() == "no folder"


def test_a_folder_in_place_of_a_page_says_so(snapshots):
    snapshots.path(URL).mkdir(parents=True)
    with pytest.raises(PageError, match="can't be read: "):
        snapshots.read(URL)
    with pytest.raises(PageError, match="can't be written: "):
        snapshots.save(URL, HTML, status=200, fetched_at=NOON)
    assert snapshots.path(URL).is_dir()
    assert not (snapshots.root / "manifest.json").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cant_be_written_can_be_read(snapshots, save):
    save()
    snapshots.root.chmod(0o500)
    try:
        with pytest.raises(PageError, match="can't be written: Permission denied"):
            save(html="<p>new")
        assert snapshots.read(URL) == HTML
        assert snapshots.check() == []
    finally:
        snapshots.root.chmod(0o700)


@pytest.mark.parametrize("step", ["open", "replace", "mkdir"])
@pytest.mark.parametrize(
    "error", [PermissionError(13, "Permission denied"), OSError(28, "No space left on device")]
)
def test_what_cant_be_written_is_one_line_and_leaves_the_old_page(snapshots, save, monkeypatch, step, error):
    save()
    before = {path.name: path.read_bytes() for path in snapshots.root.iterdir()}

    def fail(*_, **__):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(type(snapshots.root), step, fail)
        with pytest.raises(PageError) as caught:
            save(html="<p>new")
    assert str(caught.value) == f"{snapshots.root} can't be written: {error.strerror}"
    assert {path.name: path.read_bytes() for path in snapshots.root.iterdir()} == before


def test_an_end_between_the_two_writes_is_seen_and_healed_by_the_next_save(snapshots, save, monkeypatch):
    save(etag="1")

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pytest_jweval.web.manifest.Manifest.write", fail)
        with pytest.raises(KeyboardInterrupt):
            save(html="<p>new", etag="2")
    assert snapshots.read(URL) == "<p>new"
    assert snapshots.as_fetched(URL) is None
    assert reasons(snapshots) == [
        (snapshots.path(URL).name, "is not what was fetched: edited by hand, or a save was killed")
    ]
    save(html="<p>new", etag="2")
    assert snapshots.check() == []


def test_a_lock_that_another_one_holds_is_named(snapshots, save, monkeypatch):
    from pytest_jweval import files
    from pytest_jweval.web import snapshots as module

    save()
    lock = snapshots.root / ".lock"
    monkeypatch.setattr(module, "locked", lambda path: files.locked(path, timeout=0.05))
    with files.locked(lock), pytest.raises(PageError) as caught:
        save(html="<p>new")
    assert str(lock) in str(caught.value)
    assert snapshots.read(URL) == HTML


def test_the_first_save_sweeps_what_a_killed_process_left(snapshots, save):
    save()
    old, young = (snapshots.root / f".{'a' * 40}.{digit}123456789abcdef.tmp" for digit in "01")
    for path, age in ((old, 7200), (young, 60)):
        path.write_text("half")
        os.utime(path, (time.time() - age,) * 2)
    save("https://example.org/2")
    assert old.exists()  # its object has swept before
    Snapshots(snapshots.root).save("https://example.org/3", HTML, status=200, fetched_at=NOON)
    assert not old.exists()
    assert young.exists()


def test_links_are_followed_and_stay_links(snapshots, tmp_path):
    real = tmp_path / "elsewhere"
    real.mkdir()
    snapshots.root.symlink_to(real, target_is_directory=True)
    snapshots.save(URL, HTML, status=200, fetched_at=NOON)
    assert (real / snapshots.path(URL).name).read_text("utf-8") == HTML
    shared = tmp_path / "shared.html"
    snapshots.path(URL).rename(shared)
    snapshots.path(URL).symlink_to(shared)
    snapshots.save(URL, "<p>new", status=200, fetched_at=NOON)
    assert snapshots.path(URL).is_symlink()
    assert shared.read_text("utf-8") == "<p>new"
    snapshots.remove([URL])
    assert not snapshots.path(URL).is_symlink()
    assert shared.read_text("utf-8") == "<p>new"


def test_a_link_to_nowhere_is_no_page_and_can_be_pruned(snapshots, save):
    path = save()
    path.unlink()
    path.symlink_to("nowhere.html")
    assert snapshots.read(URL) is None
    assert reasons(snapshots) == [(path.name, "is in the manifest, but there is no such file")]
    assert snapshots.prune([], dry_run=False) == [path]
    assert not path.is_symlink()
