"""Only URLs below one that the user allows are fetched, also after a redirection."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest

import transpile
from transpile.text import source, urls

BELOW = [
    ("http://h/dir", "http://h/dir"),
    ("http://h/dir", "http://h/dir/a.txt"),
    ("http://h/dir/", "http://h/dir/a/b.txt?c=d"),
    ("http://h", "http://h/a"),
    ("http://h/", "http://h:80/a"),
    ("https://h:443/d", "https://h/d/a"),
    ("HTTP://H/dir", "http://h/dir/a%20b"),
    ("http://user@h/dir", "http://user@h/dir/a"),
    ("http://h/dir", "http://h/dir/..a/a..b/...c"),
    ("http://[::1]:8000/dir", "http://[::1]:8000/dir/a"),
]
NOT_BELOW = [
    ("http://h/dir", "http://h/"),
    ("http://h/dir", "http://h/dirty"),
    ("http://h/dir", "http://h/Dir/a"),
    ("http://h/dir", "http://h:8080/dir/a"),
    ("http://h/dir", "https://h/dir/a"),
    ("http://h/dir", "http://h.evil/dir/a"),
    ("http://h/dir", "http://evil/dir/a"),
    ("http://h", "http://h@evil/a"),
    ("http://h/dir", "http://user@h/dir/a"),
    ("http://h", "http://h:80@evil/a"),
    ("http://h", "http://evil\\@h/a"),
    ("http://h", "http://h\\.evil/a"),
    ("http://h/dir", "http://h/dir/../secret"),
    ("http://h/dir", "http://h/dir/a/../../secret"),
    ("http://h/dir", "http://h/dir/./a"),
    ("http://h/dir", "http://h/dir/.."),
    ("http://h/dir", "http://h/dir/%2e%2e/secret"),
    ("http://h/dir", "http://h/dir/.%2E/secret"),
    ("http://h/dir", "http://h/dir/%252e%252e/secret"),
    ("http://h/dir", "http://h/dir/%25252e%25252e/secret"),
    ("http://h/dir", "http://h/dir/..%2fsecret"),
    ("http://h/dir", "http://h/dir/a%2fb"),
    ("http://h/dir", "http://h/dir/..\\secret"),
    ("http://h/dir", "http://h/dir/..%5csecret"),
    ("http://h/dir", "http://h/dir/..;a=b/secret"),
    ("http://h/dir", "http://h/dir/.\t./secret"),
    ("http://h/dir", "http://h/dir/a\r\nHost: evil"),
    ("http://h/dir", "http://h/dir/%0d%0aHost:%20evil"),
    ("http://h/dir", "http:///dir/a"),
    ("http://h/dir", "http://h:port/dir/a"),
    ("http://h/dir", "http://[::1/dir/a"),
    ("/dir", "http://h/dir/a"),
    ("file:///dir", "http://h/dir/a"),
    ("http://", "http://h/dir/a"),
]


@pytest.mark.parametrize(("prefix", "url"), BELOW)
def test_urls_below_the_prefix_are_allowed(prefix: str, url: str) -> None:
    assert urls.is_allowed_url(url, [prefix])
    assert urls.is_allowed_url(url, ["http://other/", prefix])
    assert not urls.is_allowed_url(url, [])


@pytest.mark.parametrize(("prefix", "url"), NOT_BELOW)
def test_everything_else_is_not(prefix: str, url: str) -> None:
    assert not urls.is_allowed_url(url, [prefix])


class Server(http.server.BaseHTTPRequestHandler):
    """Answers each path with its name; a path that begins with /to is redirected."""

    asked: list[str]

    def do_GET(self) -> None:
        Server.asked.append(self.path)
        place = {"/dir/to_secret": "/secret", "/dir/to_dots": "/dir/../secret", "/dir/to_other": "/dir/other"}
        if self.path in place:
            self.send_response(302)
            self.send_header("Location", place[self.path])
            self.end_headers()
        elif self.path == "/dir/strange":
            self.wfile.write(b"this is not HTTP\r\n")
        else:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f"content of {self.path}".encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    Server.asked = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


def converted(url: str, prefix: str) -> transpile.Conversion:
    text = f'heat_template_version: 2021-04-16\noutputs: {{o: {{value: {{get_file: "{url}"}}}}}}\n'
    return transpile.convert(text, allow=[prefix])


@pytest.mark.parametrize("name", ["a", "to_other"])
def test_allowed_urls_are_fetched(name: str, server: str) -> None:
    done = converted(f"{server}/dir/{name}", f"{server}/dir")
    assert done.ok
    assert "content of /dir/" in str(done.files)


@pytest.mark.parametrize("name", ["../secret", "%2e%2e/secret", "../dir/../secret", "..%2fsecret"])
def test_redirections_out_of_the_prefix_are_not_requested(name: str, server: str) -> None:
    done = converted(f"{server}/dir/{name}", f"{server}/dir")
    assert Server.asked == []
    assert {d.code for d in done.diagnostics} == {"HOT581"}


@pytest.mark.parametrize("name", ["to_secret", "to_dots"])
def test_a_redirection_out_of_the_prefix_is_not_followed(name: str, server: str) -> None:
    done = converted(f"{server}/dir/{name}", f"{server}/dir")
    assert Server.asked == [f"/dir/{name}"]
    assert "content of" not in str(done.files)


def test_an_answer_that_is_not_http_is_a_diagnostic(server: str) -> None:
    done = converted(f"{server}/dir/strange", f"{server}/dir")
    assert [d.code for d in done.diagnostics] == ["HOT206"]


def test_names_in_a_template_that_was_fetched_stay_below_the_prefix(server: str) -> None:
    """The names are relative to the template's URL."""
    root = source.Root(None, f"{server}/dir/", [f"{server}/dir"])
    assert root.read_file("a").data == b"content of /dir/a"
    with pytest.raises(source.UnreadableFile):
        root.read_file("../secret")
    assert Server.asked == ["/dir/a"]
