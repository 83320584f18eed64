"""The files in deploy/ with real reverse proxies: a browser plays over https, and operator pages stay private."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import AT_HOME, DESKTOP, ROOT, SAME_DICE
from tests.browser.table import Table

DEPLOY = ROOT / "deploy"
# Changed only to leave the machine alone: no port 80, no certificate added to the trusted ones.
QUIET_CADDY = "{\n\tskip_install_trust\n\tauto_https disable_redirects\n\tadmin off\n}\n"
AROUND_A_SITE = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nginx(folder: Path, port: int, server: int) -> list[str]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for before, after in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/play.example.org/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/play.example.org/privkey.pem", str(key)),
        ("server_name play.example.org", "server_name localhost"),
        ("127.0.0.1:8765", f"127.0.0.1:{server}"),
    ):
        assert before in site
        site = site.replace(before, after)
    (folder / "site.conf").write_text(site, encoding="utf-8")
    (folder / "nginx.conf").write_text(AROUND_A_SITE.format(folder=folder), encoding="utf-8")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, server: int) -> list[str]:
    config = folder / "Caddyfile"
    config.write_text(QUIET_CADDY + (DEPLOY / "Caddyfile").read_text(encoding="utf-8"), encoding="utf-8")
    settings = {"SHIELDWALL_NAME": f"https://localhost:{port}", "SHIELDWALL_SERVER": f"127.0.0.1:{server}"}
    settings |= {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    words = [f"{name}={value}" for name, value in settings.items()]
    return ["env", *words, "caddy", "run", "--config", str(config), "--adapter", "caddyfile"]


@contextlib.contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """A program that answers on a port for as long as it is needed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ)
    try:
        for _ in range(600):
            assert process.poll() is None, process.communicate()[0].decode()
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_a_battle_is_played_through_a_reverse_proxy(
    built_page: None, browser: Browser, tmp_path: Path, proxy: Callable[[Path, int, int], list[str]]
) -> None:
    if not shutil.which(proxy.__name__):
        pytest.skip(f"{proxy.__name__} is not installed on this machine")
    port, server = free_port(), free_port()
    serve = [sys.executable, str(SAME_DICE), "serve", "--port", str(server), "--name", "localhost"]
    serve += ["--proxy", "127.0.0.1", "--https", "--metrics", "--json-log"]
    serve += ["--db", f"sqlite:///{tmp_path / 'games.db'}"]
    with running(serve, server), running(proxy(tmp_path, port, server), port):
        context = browser.new_context(
            viewport=DESKTOP, ignore_https_errors=True, base_url=f"https://localhost:{port}"
        )
        context.add_init_script(AT_HOME)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto("/")
        table = Table(page)
        table.start("skirmish-3.2", bot="random")
        table.answer_until("activate")
        table.go()  # over the proxied socket, and back
        assert table.wait_for_my_turn() or table.is_over()
        (cookie,) = (one for one in context.cookies() if one["name"] == "shieldwall")
        assert cookie["secure"]
        assert cookie["httpOnly"]
        for path in ("/health", "/metrics"):
            assert page.request.get(path).status == 404, "that is the operator's alone"
        context.close()
