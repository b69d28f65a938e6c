"""No secret reaches the disk: not as a key, not in a text, and however it is written there."""

from __future__ import annotations

import base64
import itertools
import json
import random
import string
import time
from functools import partial

import pytest

from pytest_jweval.llms.cassette import Cassettes, Recorded
from pytest_jweval.llms.redaction import redacted, redacted_data, secrets_in
from pytest_jweval.ports import Reply
from pytest_jweval.testing import ScriptedLLM

DIGITS, UPPER, LOWER, HEX = string.digits, string.ascii_uppercase, string.ascii_lowercase, "0123456789abcdef"
LETTERS = UPPER + LOWER
WORD = LETTERS + DIGITS

_draw = random.Random(20260530)


def some(length, alphabet=WORD):
    """Made here, so that no scanner of repositories takes this file for a leak."""
    return "".join(_draw.choice(alphabet) for _ in range(length))


def jwt():
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": some(8), "name": "x"})
    head, body = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{some(43)}"


def key_block(kind):
    lines = "\n".join(some(64, WORD + "+/") for _ in range(6))
    return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"


# What it is, how it stands in a text, and which part of it may never be found again.
SHAPES = {
    "anthropic": "sk-ant-" + "api03-" + some(93) + "AA",
    "anthropic admin": "sk-ant-" + "admin01-" + some(93) + "AA",
    "anthropic oauth": "sk-ant-" + "oat01-" + some(93) + "AA",
    "openai": "sk-" + some(20) + "T3BlbkFJ" + some(20),
    "openai project": "sk-" + "proj-" + some(120, WORD + "-_"),
    "openai service": "sk-" + "svcacct-" + some(60, WORD + "-_"),
    "openrouter": "sk-" + "or-v1-" + some(64, HEX),
    "deepseek": "sk-" + some(32, HEX),
    "google": "AI" + "za" + some(35),
    "google secret": "GOC" + "SPX-" + some(28),
    "google access": "ya" + "29." + some(120, WORD + "-_"),
    "google refresh": "1/" + "/0" + some(60, WORD + "-_"),
    "aws id": "AK" + "IA" + some(16, UPPER + "234567"),
    "aws session id": "AS" + "IA" + some(16, UPPER + "234567"),
    "aws bedrock": "ABS" + "K" + some(120),
    "github": "gh" + "p_" + some(36),
    "github app": "gh" + "s_" + some(36),
    "github oauth": "gh" + "o_" + some(36),
    "github fine": "github_" + "pat_" + some(22) + "_" + some(59),
    "gitlab": "gl" + "pat-" + some(20),
    "gitlab runner": "gl" + "rt-" + some(20),
    "slack bot": "xo" + "xb-" + some(12, DIGITS) + "-" + some(12, DIGITS) + "-" + some(24),
    "slack user": "xo" + "xp-" + some(12, DIGITS) + "-" + some(24),
    "slack app": "xa" + "pp-1-" + some(11, UPPER + DIGITS) + "-" + some(13, DIGITS) + "-" + some(64, HEX),
    "discord": "M" + some(23) + "." + some(6) + "." + some(38),
    "telegram": some(10, "123456789") + ":AA" + some(33),
    "stripe": "sk_" + "live_" + some(24),
    "stripe restricted": "rk_" + "test_" + some(24),
    "webhook": "whsec_" + some(32),
    "twilio": "S" + "K" + some(32, HEX),
    "sendgrid": "S" + "G." + some(22) + "." + some(43),
    "mailgun": "key-" + some(32, HEX),
    "mailchimp": some(32, HEX) + "-us14",
    "npm": "npm_" + some(36),
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + some(80),
    "rubygems": "rubygems_" + some(48, HEX),
    "crates": "cio" + some(32),
    "docker": "dckr_" + "pat_" + some(27),
    "huggingface": "hf" + "_" + some(34, LETTERS),
    "groq": "gsk" + "_" + some(52),
    "xai": "xai" + "-" + some(80),
    "perplexity": "pplx" + "-" + some(48),
    "replicate": "r8" + "_" + some(37),
    "nvidia": "nvapi" + "-" + some(64),
    "fireworks": "fw" + "_" + some(24),
    "cerebras": "csk" + "-" + some(48, LOWER + DIGITS),
    "langsmith": "lsv2" + "_pt_" + some(32, HEX) + "_" + some(10, HEX),
    "langfuse": "sk-lf-" + "-".join(some(size, HEX) for size in (8, 4, 4, 4, 12)),
    "pinecone": "pcsk" + "_" + some(60),
    "voyage": "pa" + "-" + some(43),
    "databricks": "dapi" + some(32, HEX),
    "digitalocean": "dop" + "_v1_" + some(64, HEX),
    "vault": "hvs" + "." + some(90),
    "terraform": some(14) + ".atlasv1." + some(67),
    "doppler": "dp" + ".pt." + some(43),
    "linear": "lin_" + "api_" + some(40),
    "notion": "ntn" + "_" + some(46),
    "airtable": "pat" + some(14) + "." + some(64, HEX),
    "shopify": "shp" + "at_" + some(32, HEX),
    "square": "sq0" + "atp-" + some(22),
    "newrelic": "NR" + "AK-" + some(27, UPPER + DIGITS),
    "grafana": "gl" + "sa_" + some(32) + "_" + some(8, HEX),
    "sentry": "sntry" + "u_" + some(64, HEX),
    "postman": "PM" + "AK-" + some(24, HEX) + "-" + some(34, HEX),
    "figma": "fig" + "d_" + some(40),
    "supabase": "sbp" + "_" + some(40, HEX),
    "planetscale": "pscale_" + "tkn_" + some(43),
    "atlassian": "ATA" + "TT3" + some(180),
    "age": "AGE-SECRET-" + "KEY-1" + some(58, UPPER + DIGITS),
    "jwt": jwt(),
    "rsa key": key_block("RSA " + "PRIVATE KEY"),
    "ssh key": key_block("OPENSSH " + "PRIVATE KEY"),
    "pkcs8 key": key_block("PRIVATE" + " KEY"),
    "pgp key": key_block("PGP " + "PRIVATE KEY BLOCK"),
}

# Here the secret is known by what stands around it.
AROUND = {
    "bearer": ("Authorization: Bearer {}", some(40)),
    "bearer in JSON": ('{{"authorization": "bearer {}"}}', some(40)),
    "basic": ("Authorization: Basic {}", base64.b64encode(b"someone:" + some(12).encode()).decode()),
    "url": ("see https://someone:{}@example.org/es/john-3", some(12)),
    "database": ("postgresql+psycopg://app:{}@db.example.org:5432/app", some(16)),
    "redis": ("redis://:{}@cache.example.org", some(16)),
    "aws secret": ("aws_secret_access_key = {}", some(40, WORD + "/+")),
    "azure account": ("DefaultEndpointsProtocol=https;AccountKey={};", some(86, WORD + "+/") + "=="),
    "azure bus": ("Endpoint=sb://x/;SharedAccessKey={}", some(43, WORD + "+/") + "="),
    "azure signature": ("https://x.blob.example.org/c?sv=2024&sig={}&se=2026", some(46) + "%3D"),
    "azure client": ("{}", some(3) + "8Q~" + some(34)),
    "slack hook": ("https://hooks.slack.com/services/{}", f"T{some(8)}/B{some(10)}/{some(24)}"),
    "discord hook": ("https://discord.com/api/webhooks/{}", f"{some(18, DIGITS)}/{some(68)}"),
    "password": ("password={}", some(12)),
    "password in YAML": ("db_password: '{}'", some(12)),
    "password in JSON": ('{{"password": "{}"}}', some(12, LOWER)),
    "password in JSON in JSON": ('{{\\"password\\": \\"{}\\"}}', some(12)),
    "api key": ("MISTRAL_API_KEY={}", some(31) + "7"),
    "api key header": ("x-api-key: {}", some(31) + "7"),
    "client secret": ("client_secret={}&grant_type=x", some(31) + "7"),
    "token": ("token: {}", some(31) + "7"),
    "cookie": ("Cookie: session={}", some(24)),
    "set-cookie": ("Set-Cookie: sid={}; HttpOnly", some(24)),
}

ENVIRONMENT = {
    "HOUSE_KEY": "correct horse – batería",
    "HOUSE_TOKEN": "tok-12345678",
    "house_secret": 'quo"ted\\secret\nof two lines',
    "DB_PASSWORD": "pass/word with spaces",
    "PASSWORD": "p4ssw0rd",
}

EVERYTHING = [
    *((name, secret, secret) for name, secret in SHAPES.items()),
    *((name, form.format(secret), secret) for name, (form, secret) in AROUND.items()),
    *((name, f"it is {secret}, they say", secret) for name, secret in ENVIRONMENT.items()),
]


@pytest.fixture(autouse=True)
def _house(monkeypatch):
    for name, secret in ENVIRONMENT.items():
        monkeypatch.setenv(name, secret)


def traces(secret):
    """Pieces of a secret in the ways that a file may hold them: found with nothing but ``in``."""
    lines = [
        line for line in secret.replace("-----", "\n").splitlines() if not line.endswith(("KEY", "BLOCK"))
    ]
    for line in lines:
        piece = line[len(line) // 3 :][:24]
        if len(piece) >= 4:
            yield piece.encode("utf-8")
            yield json.dumps(piece)[1:-1].encode("ascii")


def test_there_are_more_than_forty_shapes():
    assert len(EVERYTHING) > 95
    assert len({secret for _, _, secret in EVERYTHING}) == len(EVERYTHING)


@pytest.mark.parametrize(("name", "text", "secret"), EVERYTHING, ids=[name for name, _, _ in EVERYTHING])
def test_a_secret_is_replaced_and_the_rest_stays(name, text, secret):
    del name
    around = f"La Biblia dice: {text} – amó Dios al mundo (Juan 3:16)"
    clean = redacted(around)
    assert clean.startswith("La Biblia dice: ")
    assert clean.endswith(" – amó Dios al mundo (Juan 3:16)") or "ookie" in text
    assert "[redacted:" in clean
    assert not [trace for trace in traces(secret) if trace in clean.encode()]
    assert redacted(clean) == clean
    assert secrets_in(around)
    assert secrets_in(clean) == []


def test_planted_secrets_reach_the_disk_in_no_way(tmp_path):
    """In messages, parameters, versions, replies, their keys and their objects."""
    folder = tmp_path / "cassettes"
    for trial, (_, text, _) in enumerate(EVERYTHING):
        parameters = {"stop": [text], "extra": {text: text}}
        reply = Reply(f"it said {text}", {"quoted": {text: [text]}})
        llm = ScriptedLLM([reply], model=f"m {text}", parameters=parameters)

        def render(nonce, text=text):
            return [{"role": "system", "content": nonce}, {"role": "user", "content": f"{text}\n{text}"}]

        asked = {"trial": trial, "version": text, "schema": {"type": "object", "description": text}}
        first = Recorded(llm, Cassettes(folder)).ask(render, **asked)
        again = Recorded(llm, Cassettes(folder, in_ci=True)).ask(render, **asked)
        assert again.recorded
        assert (first.text, first.parsed) == (again.text, again.parsed)
        Cassettes(folder).recorded_call("agent", {"q": text, "n": trial}, partial(dict, a=[text]))
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 2 * len(EVERYTHING)
    disk = b"\n".join(path.read_bytes() for path in files)
    leaked = {name for name, _, secret in EVERYTHING if any(trace in disk for trace in traces(secret))}
    assert leaked == set()
    assert Cassettes(folder).verify() == []


def test_what_stands_under_the_name_of_a_secret_is_one():
    for name in ("password", "api_key", "X-Api-Key", "clientSecret", "client_secret", "Authorization"):
        assert redacted_data({name: "only letters"}) == {name: "[redacted:named]"}
    harmless = {"max_tokens": 100, "tokens": "one two three", "keywords": "Juan 3:16", "key": "of the door"}
    assert redacted_data(harmless) == harmless


def test_what_is_no_secret_stays_as_it_is():
    texts = [
        "",
        "https://example.org/es/john-3#v16 y https://example.org/publications/2024/04/study-12345678",
        "The secret: everlasting life is a gift. The key is faith; the password was forgotten.",
        "a basic understanding; a bearer of good news; the cookie: sweet, with 12 raisins",
        "0123456789abcdef" * 4,
        "550e8400-e29b-41d4-a716-446655440000",
        "snapshots/4f0c12ab4f0c12ab4f0c12ab4f0c12ab4f0c12ab4f0c12ab4f0c12ab4f0c12ab.html",
        "Donaudampfschifffahrtsgesellschaftskapitän pneumonoultramicroscopicsilicovolcanoconiosis",
        "no-one-knows-what-a-task-force-of-desk-researchers-risk-assessed",
        "κατὰ Ἰωάννην – 約翰福音 – Ин 3:16",
        "tokens: 1234, token count: 12",
        "sk-lf and hf_ and AKIA and ghp_ are prefixes",
    ]
    assert [text for text in texts if redacted(text) != text] == []


def test_half_characters_and_escapes_stay_as_they_are():
    text = "\ud800 \udfff \x00 \u2028"
    assert redacted(text) == text


@pytest.mark.parametrize("value", ["short", "", "1234567"])
def test_short_values_of_the_environment_are_no_secrets(monkeypatch, value):
    monkeypatch.setenv("SHORT_KEY", value)
    assert redacted(f"it is {value}!") == f"it is {value}!"


def test_a_secret_that_is_a_word_of_ours_changes_nothing(monkeypatch):
    monkeypatch.setenv("ODD_KEY", "redacted:")
    monkeypatch.setenv("ODD_TOKEN", "environment")
    assert redacted(f"the environment of {ENVIRONMENT['HOUSE_TOKEN']}") == (
        "the environment of [redacted:environment]"
    )


def test_the_environment_is_found_as_urls_and_json_write_it():
    assert redacted("https://x.example/?p=pass%2Fword%20with%20spaces") == (
        "https://x.example/?p=[redacted:environment]"
    )
    assert "redacted:environment" in redacted(json.dumps({"a": ENVIRONMENT["house_secret"]}))


def test_mixtures_are_redacted_once_and_for_all():
    draw = random.Random(7)
    texts = [text for _, text, _ in EVERYTHING]
    glue = ["", " ", "=", ": ", '"', ";", "\n", "token=", "Bearer ", "password: ", "key ", "Cookie: a="]
    for _ in range(300):
        mixed = "".join(itertools.chain(*((draw.choice(texts), draw.choice(glue)) for _ in range(3))))
        once = redacted(mixed)
        assert redacted(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "x_" * 100_000,
        "password" * 25_000,
        "a_secret" * 25_000,
        "-----BEGIN PRIVATE KEY-----" * 2_000,
        "https://" * 25_000,
        "a:" * 100_000,
        "cookie: a=" * 20_000,
        "eyJ" * 66_000,
        "Bearer " * 30_000,
    ],
    ids=lambda text: text[:12],
)
def test_long_texts_cost_little(text):
    started = time.process_time()
    redacted(text)
    assert time.process_time() - started < 3
