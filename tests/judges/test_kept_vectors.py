"""Vectors are made once; what is on disk can only ever save time."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import threading
import time

import pytest

from pytest_jweval.errors import ProviderError
from pytest_jweval.judges.embedders.hashing import HashingEmbedder
from pytest_jweval.judges.vectors import KeptVectors


class Counting:
    """Makes vectors of a text's own bytes, and notes what it was asked."""

    bands = (0.9, 0.4)

    def __init__(self, name="counting", length=3):
        self.name = name
        self.length = length
        self.asked = []

    def embed(self, texts):
        self.asked.append(list(texts))
        return [vector_of(text, self.length) for text in texts]


def vector_of(text, length=3):
    data = text.encode("utf-8", "surrogatepass") + bytes(length)
    return [(byte + place) / 7 for place, byte in enumerate(data[:length])]


def single(vector):
    """In single precision, as vectors are kept."""
    return pytest.approx(vector, rel=1e-6)


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


TEXTS = ["In the beginning", "was the Word", "día – 神", "", "\ud800", "a\nb", "x" * 10_000, "C:\\Users\\me"]


def test_what_was_made_before_is_not_made_again(tmp_path):
    first = KeptVectors(Counting(), tmp_path).embed(TEXTS)
    embedder = Counting()
    assert KeptVectors(embedder, tmp_path).embed(TEXTS) == first
    assert first == [single(vector_of(text)) for text in TEXTS]
    assert embedder.asked == []


@pytest.mark.parametrize("kept", [True, False])
def test_each_text_is_asked_for_once_and_given_as_often_as_it_stands_there(kept, tmp_path):
    embedder = Counting()
    vectors = KeptVectors(embedder, tmp_path if kept else None)
    assert vectors.embed(["a", "b", "a"]) == [single(vector_of(text)) for text in ("a", "b", "a")]
    assert vectors.embed(["b", "c"]) == [single(vector_of(text)) for text in ("b", "c")]
    assert embedder.asked == [["a", "b"], ["c"]]


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    KeptVectors(Counting(), None).embed(TEXTS)
    assert files_in(tmp_path) == []


def test_it_asks_in_batches_and_keeps_each_at_once(tmp_path):
    class DownLater(Counting):
        def embed(self, texts):
            if len(self.asked) == 2:
                raise ProviderError("down")
            return super().embed(texts)

    texts = [f"text {number}" for number in range(150)]
    embedder = DownLater()
    with pytest.raises(ProviderError, match="down"):
        KeptVectors(embedder, tmp_path).embed(texts)
    assert [len(batch) for batch in embedder.asked] == [64, 64]
    after = Counting()
    KeptVectors(after, tmp_path).embed(texts)
    assert after.asked == [texts[128:]]


def test_it_stands_in_for_its_embedder():
    embedder = Counting("counting:model/1")
    kept = KeptVectors(embedder, None)
    assert (kept.name, kept.bands) == ("counting:model/1", (0.9, 0.4))
    assert kept.embed([]) == []
    assert embedder.asked == []


def test_embedders_never_share_vectors(tmp_path):
    names = ["a:b", "a/b", "a b", "a-b", "..", "", "CON", "é" * 300, "a" * 60 + "1", "a" * 60 + "2", "\ud800"]
    for name in names:
        embedder = Counting(name)
        KeptVectors(embedder, tmp_path).embed(["text"])
        assert embedder.asked == [["text"]]
    assert len(list(tmp_path.iterdir())) == len(names)
    assert len(files_in(tmp_path)) == len(names)


def test_vectors_are_the_same_from_disk_and_fresh(tmp_path):
    class Thirds(Counting):
        def embed(self, texts):
            return [[1 / 3, 2 / 3] for _ in texts]

    fresh = KeptVectors(Thirds(), tmp_path).embed(["a"])
    kept = KeptVectors(Thirds(), tmp_path).embed(["a"])
    unkept = KeptVectors(Thirds(), None).embed(["a"])
    assert list(fresh[0]) == list(kept[0]) == list(unkept[0]) != [1 / 3, 2 / 3]


def test_the_folder_may_vanish_at_any_time(tmp_path):
    kept = KeptVectors(Counting(), tmp_path / "vectors")
    kept.embed(["a"])
    for path in files_in(tmp_path):
        path.unlink()
    assert kept.embed(["a", "b"]) == [single(vector_of("a")), single(vector_of("b"))]
    embedder = Counting()
    KeptVectors(embedder, tmp_path / "vectors").embed(["a", "b"])
    assert embedder.asked == [["a"]]


def test_what_another_process_added_meanwhile_is_found(tmp_path):
    embedder = Counting()
    kept = KeptVectors(embedder, tmp_path)
    same_shard = ["a", *shard_mates("a", 2)]
    kept.embed(same_shard[:1])
    KeptVectors(Counting(), tmp_path).embed(same_shard[1:2])
    kept.embed(same_shard)
    assert embedder.asked == [same_shard[:1], same_shard[2:]]


def shard_mates(text, count):
    """Other texts that are kept in the same file."""
    from hashlib import sha256

    def shard(text):
        return sha256(text.encode()).hexdigest()[:2]

    numbers = (str(number) for number in range(100_000))
    return [number for number in numbers if shard(number) == shard(text)][:count]


@pytest.fixture
def one_shard(tmp_path):
    """Three texts that are kept in one file, and the file."""
    texts = ["a", *shard_mates("a", 2)]
    KeptVectors(Counting(), tmp_path).embed(texts)
    (path,) = files_in(tmp_path)
    return texts, path


def test_a_line_that_is_still_on_its_way_is_read_when_it_is_there(one_shard, tmp_path):
    texts, path = one_shard
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    embedder = Counting()
    kept = KeptVectors(embedder, tmp_path)
    kept.embed(texts[:2])
    path.write_bytes(whole)
    kept.embed(texts)
    assert embedder.asked == []


def test_a_file_that_was_begun_anew_is_read_from_its_start(one_shard, tmp_path):
    texts, path = one_shard
    embedder = Counting()
    kept = KeptVectors(embedder, tmp_path)
    kept.embed(texts)
    path.unlink()
    new = shard_mates("a", 3)[2:]
    KeptVectors(Counting(), tmp_path).embed(new)
    kept.embed(new)
    assert embedder.asked == []


def is_right_after(change, texts, path, root):
    """Whatever happened to the file, the vectors are right, and what was made anew is kept again."""
    change(path)
    expected = [single(vector_of(text)) for text in texts]
    first, second = Counting(), Counting()
    assert KeptVectors(first, root).embed(texts) == expected
    assert KeptVectors(second, root).embed(texts) == expected
    assert second.asked == []
    return sum(map(len, first.asked))


def test_a_file_cut_anywhere_costs_only_what_was_cut_off(one_shard, tmp_path):
    texts, path = one_shard
    whole = path.read_bytes()
    made_again = [
        is_right_after(lambda path, end=length: path.write_bytes(whole[:end]), texts, path, tmp_path)
        for length in range(len(whole))
    ]
    assert made_again[0] == 3
    assert made_again[-1] == 1
    assert sorted(made_again, reverse=True) == made_again


def test_a_changed_byte_anywhere_never_makes_a_wrong_vector(one_shard, tmp_path):
    texts, path = one_shard
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bit in (0, 5, 7):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            made_again = is_right_after(
                lambda path, data=bytes(changed): path.write_bytes(data), texts, path, tmp_path
            )
            assert made_again <= 2


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 500, b"\n" * 500, "día – 神\n".encode(), b"a" * 64 + b" 1 2\n"]
)
def test_a_file_of_anything_else_is_as_good_as_none(content, one_shard, tmp_path):
    texts, path = one_shard
    assert is_right_after(lambda path: path.write_bytes(content), texts, path, tmp_path) == 3


@pytest.mark.parametrize("place", ["folder", "file"])
def test_where_nothing_can_be_written_vectors_are_made_all_the_same(place, tmp_path):
    kept = KeptVectors(Counting(), tmp_path / "vectors")
    kept.embed(["a"])
    (path,) = files_in(tmp_path)
    path.unlink()
    if place == "file":
        path.mkdir()
    else:
        path.parent.rmdir()
        path.parent.write_text("a file where the folder should be")
    assert KeptVectors(Counting(), tmp_path / "vectors").embed(["a"]) == [single(vector_of("a"))]


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        ([], "counting gave 0 vectors for 2 texts"),
        ([[1.0]], "counting gave 1 vector for 2 texts"),
        ([[1.0]] * 3, "counting gave 3 vectors for 2 texts"),
        ([[1.0], [1.0, 2.0]], "counting gave vectors of 1 and of 2 numbers"),
        ([[], []], "counting gave an empty vector"),
        ([[1.0], [math.nan]], "counting gave a vector with NaN or infinity in it"),
        ([[1.0], [1e39]], "counting gave a vector with NaN or infinity in it"),
        ([[1.0], ["one"]], "counting gave no vector, but ['one']"),
        ([[1.0], None], "counting gave no vector, but None"),
    ],
)
def test_what_is_no_vector_is_refused_and_not_kept(vectors, reason, tmp_path):
    class Wrong(Counting):
        def embed(self, texts):
            return vectors

    with pytest.raises(ProviderError) as caught:
        KeptVectors(Wrong(), tmp_path).embed(["a", "b"])
    assert str(caught.value) == reason
    assert files_in(tmp_path) == []


def test_a_model_that_changed_under_its_name_is_told_apart(tmp_path):
    KeptVectors(Counting(length=3), tmp_path).embed(["a"])
    with pytest.raises(ProviderError, match="different lengths: its model was changed and kept its name"):
        KeptVectors(Counting(length=4), tmp_path).embed(["a", "b"])


def test_an_outage_is_forgotten_with_the_next_try():
    class DownOnce(Counting):
        def embed(self, texts):
            vectors = super().embed(texts)
            if len(self.asked) == 1:
                raise ProviderError("down")
            return vectors

    kept = KeptVectors(DownOnce(), None)
    with pytest.raises(ProviderError, match="down"):
        kept.embed(["a"])
    assert kept.embed(["a"]) == [single(vector_of("a"))]


class Slow(Counting):
    def __init__(self, fails=False):
        super().__init__()
        self.fails = fails
        self.begun = threading.Event()

    def embed(self, texts):
        self.begun.set()
        time.sleep(0.1)
        vectors = super().embed(texts)
        if self.fails:
            raise ProviderError("down")
        return vectors


def in_threads(work, count=8):
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)


@pytest.mark.parametrize("kept", [True, False])
def test_threads_that_want_the_same_text_wait_for_one_of_them(kept, tmp_path):
    embedder = Slow()
    vectors = KeptVectors(embedder, tmp_path if kept else None)
    given = {}
    in_threads(lambda number: given.update({number: vectors.embed(["shared", f"own {number}"])}))
    assert given == {
        number: [single(vector_of("shared")), single(vector_of(f"own {number}"))] for number in range(8)
    }
    assert sorted(text for batch in embedder.asked for text in batch) == sorted(
        ["shared", *(f"own {number}" for number in range(8))]
    )


def test_threads_that_want_different_texts_dont_wait_for_each_other():
    embedder = Slow()
    kept = KeptVectors(embedder, None)
    began = time.monotonic()
    in_threads(lambda number: kept.embed([f"own {number}"]))
    assert time.monotonic() - began < 0.1 * 8


def test_threads_that_wait_are_told_of_an_outage():
    embedder = Slow(fails=True)
    kept = KeptVectors(embedder, None)
    told = []

    def ask(number):
        if number:
            embedder.begun.wait(10)
        with pytest.raises(ProviderError, match="down"):
            kept.embed(["shared"])
        told.append(number)

    in_threads(ask, 3)
    assert sorted(told) == [0, 1, 2]
    assert embedder.asked == [["shared"]]


WRITER = """
import sys
from pathlib import Path
from pytest_jweval.judges.embedders.hashing import HashingEmbedder
from pytest_jweval.judges.vectors import KeptVectors

kept = KeptVectors(HashingEmbedder(), Path(sys.argv[1]))
print("began", flush=True)
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    kept.embed([f"text {number}"])
"""


def writer(folder, begin, end):
    command = [sys.executable, "-c", WRITER, str(folder), str(begin), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


class CountingHashing(HashingEmbedder):
    def __init__(self):
        self.made = 0

    def embed(self, texts):
        self.made += len(texts)
        return super().embed(texts)


def read_back(folder, count):
    """How many vectors had to be made again; all of them are right."""
    embedder = CountingHashing()
    texts = [f"text {number}" for number in range(count)]
    assert KeptVectors(embedder, folder).embed(texts) == KeptVectors(HashingEmbedder(), None).embed(texts)
    return embedder.made


@pytest.mark.skipif(os.name == "nt", reason="there, lines that are added at the same time may get lost")
def test_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    writers = [writer(tmp_path, number * 300, number * 300 + 300) for number in range(4)]
    for each in writers:
        with each:
            assert each.wait(60) == 0
    assert read_back(tmp_path, 1200) == 0


def test_killed_writers_leave_nothing_wrong(tmp_path):
    chance = random.Random(7)
    for _ in range(10):
        with writer(tmp_path, 0, 10**9) as each:
            assert each.stdout is not None
            assert each.stdout.readline() == "began\n"
            time.sleep(chance.uniform(0.01, 0.1))
            each.kill()
    assert read_back(tmp_path, 2000) < 2000
