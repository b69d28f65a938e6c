"""Fetching over TLS: by the name that was asked for, whatever address is called."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading

import loopback
import pytest
from loopback import Loopback, page, redirect

from pytest_jweval.errors import PageError
from pytest_jweval.web.fetch import Fetcher
from pytest_jweval.web.guard import Guard

VERSE = "<p>En el principio era el Verbo</p>"


def fetcher(**options):
    hosts = ["127.0.0.1", "pages.test", "other.test"]
    return Fetcher(Guard(private_hosts=hosts), **{"retries": 0, "timeout": 5, **options})


def refused(url, **options):
    """The one line that a fetch ends with, without the URL that it begins with."""
    with pytest.raises(PageError) as caught:
        fetcher(**options).fetch(url)
    said = str(caught.value)
    assert said.startswith(url)
    return said.removeprefix(url).strip()


@pytest.fixture
def server():
    with Loopback() as server:
        yield server


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    if not (openssl := shutil.which("openssl")):
        pytest.skip("a certificate is made with openssl")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", "key.pem"]
        + ["-out", "cert.pem", "-subj", "/CN=pages.test", "-addext", "subjectAltName=DNS:pages.test"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def secure(certificate):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    with Loopback(tls) as server:
        yield server


def test_https_works_by_name_though_an_address_is_called(secure, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1", "pages.test.": "127.0.0.1"})
    secure.at("/", page(VERSE))
    for host in ("pages.test", "Pages.test."):
        assert fetcher().fetch(secure.url_of(host) + "/").body == VERSE.encode()


def test_a_certificate_for_another_name_is_refused(secure, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    loopback.names(monkeypatch, {"other.test": "127.0.0.1"})
    secure.at("/", page(VERSE))
    said = refused(secure.url_of("other.test") + "/", retries=3, sleep=_never)
    assert said.startswith("has no certificate that can be trusted: Hostname mismatch")
    assert secure.requests == []


def test_a_certificate_that_nobody_has_signed_is_refused(secure, monkeypatch):
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1"})
    said = refused(secure.url_of("pages.test") + "/", retries=3, sleep=_never)
    assert said.startswith("has no certificate that can be trusted: self")


def test_https_that_isnt_spoken_says_so():
    def answer_in_plain_words():
        line, _ = plain.accept()
        with line:
            line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            line.recv(4096)

    with socket.create_server(("127.0.0.1", 0)) as plain:
        thread = threading.Thread(target=answer_in_plain_words)
        thread.start()
        said = refused(f"https://127.0.0.1:{plain.getsockname()[1]}/", retries=3, sleep=_never)
        thread.join(5)
    assert said.startswith("can't be reached safely: SSLError: ")


def test_a_redirect_from_https_to_http_is_refused(secure, server, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1"})
    secure.at("/", redirect(server.url_of("pages.test") + "/"))
    said = refused(secure.url_of("pages.test") + "/")
    assert said == "redirects from https to http, where anybody on the way could change the page"
    assert server.requests == []


def test_a_redirect_from_http_to_https_is_followed(secure, server, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1"})
    server.at("/", redirect(secure.url_of("pages.test") + "/"))
    secure.at("/", page(VERSE))
    assert fetcher().fetch(server.url_of("pages.test") + "/").body == VERSE.encode()


def _never(seconds):
    raise AssertionError(f"waited {seconds} s for what can't pass")
