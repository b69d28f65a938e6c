"""Options, ini and environment: who is heard first, and what a wrong value says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval import settings
from pytest_jweval.errors import SettingsError
from pytest_jweval.settings import CHOICES, Choice, Settings
from pytest_jweval.values import AgentSpec, ReportTarget, Shard, read_shard


def read(options: Any = (), ini: Any = (), environ: Any = ()) -> Settings:
    return Settings.read(dict(options).get, dict(ini).get, dict(environ))


def test_what_nobody_said_is_the_default():
    assert read() == Settings()


class TestPrecedence:
    OPTION = {"--jw-layer": ["l1"]}
    ENVIRON = {"JW_LAYER": "l2"}
    INI = {"jweval_layer": ["l3"]}

    @pytest.fixture(autouse=True)
    def _with_a_variable(self, monkeypatch):
        choice = Choice("layers", "layer", "L", "", tuple, "args", environ="JW_LAYER")
        monkeypatch.setattr(settings, "CHOICES", (choice,))

    @pytest.mark.parametrize(
        ("options", "environ", "ini", "layers"),
        [
            (OPTION, ENVIRON, INI, ("l1",)),
            ({}, ENVIRON, INI, ("l2",)),
            ({}, {}, INI, ("l3",)),
            ({}, {"JW_LAYER": ""}, INI, ("l3",)),
            ({}, {}, {}, ()),
        ],
        ids=["option", "environment", "ini", "an empty variable counts as unset", "default"],
    )
    def test_option_then_environment_then_ini_then_default(self, options, environ, ini, layers):
        assert read(options, ini, environ).layers == layers


class TestValues:
    @pytest.mark.parametrize(
        ("options", "field", "value"),
        [
            ({"--jw-layer": ["l1,l2", " l3 "]}, "layers", ("l1", "l2", "l3")),
            ({"--jw-agent": ["a", "b"]}, "agents", ("a", "b")),
            ({"--jw-tag": ["x,,y,"]}, "tags", ("x", "y")),
            ({"--jw-shard": "2/4"}, "shard", Shard(2, 4)),
            ({"--jw-shard": " 1 / 1 "}, "shard", Shard(1, 1)),
            (
                {"--jw-report": ["json:out/a.json", "md:C:\\a.md"]},
                "reports",
                (ReportTarget("json", Path("out/a.json")), ReportTarget("md", Path("C:\\a.md"))),
            ),
        ],
    )
    def test_options(self, options, field, value):
        assert getattr(read(options), field) == value

    @pytest.mark.parametrize(
        ("ini", "field", "value"),
        [
            ({"jweval_golden": ["golden", " more "]}, "golden", ("golden", "more")),
            ({"jweval_golden": []}, "golden", ()),
            ({"jweval_agent_timeout": "2.5"}, "agent_timeout", 2.5),
            ({"jweval_agent_timeout": "0"}, "agent_timeout", 0),
            ({"jweval_review": "skip"}, "review", "skip"),
            ({"jweval_agents": ["a = pkg.mod:attr"]}, "agent_specs", (AgentSpec("a", "pkg.mod:attr"),)),
            (
                {"jweval_agents": ["a=mod:Class.method **", "", " b = https://[::1]:8000/ask?x=1 "]},
                "agent_specs",
                (AgentSpec("a", "mod:Class.method", True), AgentSpec("b", "https://[::1]:8000/ask?x=1")),
            ),
            ({"jweval_agents": ["é = módulo:función"]}, "agent_specs", (AgentSpec("é", "módulo:función"),)),
        ],
    )
    def test_ini_keys(self, ini, field, value):
        assert getattr(read(ini=ini), field) == value


FOR_FUNCTIONS = "** is for functions, an endpoint is sent the input as JSON"
EXPECTED_AGENT = "names no agent: expected NAME = package.module:attr or NAME = http://…"

WRONG = [
    ({"--jw-layer": [" , "]}, {}, "--jw-layer: expected a name"),
    *(
        (
            {"--jw-shard": said},
            {},
            f"--jw-shard: {said!r} is no shard: expected I/N with 1 <= I <= N, such as 2/4",
        )
        for said in ("", "0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", "1/0", "１/２", "1/1\n2")
    ),
    *(
        (
            {"--jw-report": [said]},
            {},
            f"--jw-report: {said!r} names no report: expected FORMAT:PATH, such as json:report.json",
        )
        for said in ("json", "json:", ":a.json", "")
    ),
    *(
        (
            {},
            {"jweval_agent_timeout": said},
            f"ini jweval_agent_timeout: {said!r} is no number of seconds (0 switches the limit off)",
        )
        for said in ("soon", "-1", "nan", "inf", "1e99", "")
    ),
    ({}, {"jweval_review": "pass"}, "ini jweval_review: 'pass': expected fail or skip"),
    *(
        ({}, {"jweval_agents": [said]}, f"ini jweval_agents: {said!r} {EXPECTED_AGENT}")
        for said in (
            "a",
            "a =",
            "= mod:attr",
            "a = mod",
            "a = mod:",
            "a = :attr",
            "a = mod.:attr",
            "a = mod:attr()",
            "a = mod:attr # why",
            "a b = mod:attr",
            "a = 1mod:attr",
            "a = ftp://host/",
            "a = http://",
            "a = http:///path",
            "a = http://host:port/",
            "a = http://host:0/",
            "a = http://[::1/",
        )
    ),
    (
        {},
        {"jweval_agents": ["a = http://host/ **"]},
        f"ini jweval_agents: 'a = http://host/ **': {FOR_FUNCTIONS}",
    ),
    (
        {},
        {"jweval_agents": ["a = mod:one", "a = mod:two"]},
        "ini jweval_agents: the agent 'a' is named twice",
    ),
]


@pytest.mark.parametrize(("options", "ini", "line"), WRONG)
def test_a_wrong_value_is_one_line_that_names_where_it_was_said(options, ini, line):
    with pytest.raises(SettingsError) as caught:
        read(options, ini)
    assert str(caught.value) == line
    assert "\n" not in line


def test_a_variable_is_named_where_its_value_is_wrong(monkeypatch):
    choice = Choice("shard", "shard", "I/N", "", read_shard, environ="JW_SHARD")
    monkeypatch.setattr(settings, "CHOICES", (choice,))
    with pytest.raises(SettingsError, match=r"^JW_SHARD: '5' is no shard"):
        read(environ={"JW_SHARD": "5"})


class TestTheTable:
    def test_every_row_is_a_setting_and_every_setting_a_row(self):
        assert [choice.field for choice in CHOICES] == list(Settings.__dataclass_fields__)

    def test_every_row_has_a_help_and_a_name_of_its_own(self):
        assert all(choice.help and (choice.metavar or choice.is_flag) for choice in CHOICES)
        assert len({choice.ini for choice in CHOICES}) == len(CHOICES)

    def test_names_follow_one_rule(self):
        named = {choice.field: (choice.flag, choice.ini) for choice in CHOICES}
        assert named["agent_timeout"] == ("--jw-agent-timeout", "jweval_agent_timeout")

    def test_the_defaults_in_the_help_are_the_defaults(self):
        helps = {choice.field: choice.help for choice in CHOICES}
        assert f"(default: {Settings().agent_timeout:g}; 0: no limit)" in helps["agent_timeout"]
        assert f"(default: {Settings().review})" in helps["review"]
        assert f"(default: {Settings().golden[0]})" in helps["golden"]


IDS = st.text(min_size=1, max_size=30, alphabet=st.characters(codec="utf-8"))


class TestShards:
    @given(case_id=IDS, of=st.integers(1, 50))
    def test_every_id_is_in_exactly_one_shard(self, case_id, of):
        assert sum(Shard(number, of).holds(case_id) for number in range(1, of + 1)) == 1

    @pytest.mark.parametrize("of", [2, 3, 8])
    def test_shards_are_roughly_even(self, of):
        ids = [f"l1_case_{i}_es" for i in range(4000)]
        sizes = [sum(Shard(number, of).holds(i) for i in ids) for number in range(1, of + 1)]
        assert sum(sizes) == 4000
        assert max(sizes) - min(sizes) < 0.2 * 4000 / of

    def test_an_id_stays_in_its_shard_on_every_machine(self):
        # A salted hash, or a new one, would lose cases between machines.
        ids = ["l1_apologetics_trinity_es", "bench_doctrinal[semantic-es]", "ñ"]
        assert [next(n for n in (1, 2, 3) if Shard(n, 3).holds(i)) for i in ids] == [1, 3, 1]
