"""What a registry says against a locked package is not passed over, and a registry that is silent stops nobody's work."""

import json
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

from dependencies import registries
from dependencies.audit import audit
from dependencies.locks import locked
from dependencies.registries import Crates, Npm, PyPI

SHA256 = "ab" * 32
OTHER = "cd" * 32
# The same bytes as npm writes them.
SHA256_IN_BASE64 = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="

CARGO_LOCK = f"""
version = 4
[[package]]
name = "ours"
version = "1.0.0"
[[package]]
name = "tokio"
version = "1.2.3"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "{SHA256}"
"""
NPM_LOCK = {
    "packages": {
        "": {"name": "web", "version": "0.0.0"},
        "node_modules/@a/b/node_modules/react": {"version": "19.0.0", "integrity": f"sha256-{SHA256_IN_BASE64}"},
    }
}
REQUIREMENTS = f"""# pinned
Num_Py==2.0.0 \\
    --hash=sha256:{SHA256}
"""


class Registries:
    """All three, played on this machine."""

    def __init__(self):
        self.crate = {"name": "tokio", "vers": "1.2.3", "cksum": SHA256, "yanked": False}
        self.npm = {"dist": {"integrity": f"sha256-{SHA256_IN_BASE64}"}}
        self.npm_advisories = {}
        self.file = {"filename": "num_py-2.0.0.tar.gz", "hashes": {"sha256": SHA256}, "yanked": False}
        self.vulnerabilities = []
        self.status = 200

    def answer(self, path):
        older = {"name": "tokio", "vers": "1.2.2", "cksum": OTHER, "yanked": True}
        answers = {
            "/to/ki/tokio": "\n".join(map(json.dumps, [older, self.crate])),
            "/react/19.0.0": json.dumps(self.npm),
            "/-/npm/v1/security/advisories/bulk": None if self.npm_advisories is None else json.dumps(self.npm_advisories),
            "/simple/num-py/": json.dumps({"files": [self.file]}),
            "/pypi/Num_Py/2.0.0/json": None if self.vulnerabilities is None else json.dumps({"vulnerabilities": self.vulnerabilities}),
        }
        return answers.get(path)


def handler(played):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = played.answer(self.path)
            self.send_response(404 if answer is None else played.status)
            body = (answer or "").encode()
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_):
            pass

    return Handler


class Auditing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "Cargo.lock").write_text(CARGO_LOCK)
        (self.root / "package-lock.json").write_text(json.dumps(NPM_LOCK))
        (self.root / "requirements.txt").write_text(REQUIREMENTS)
        self.played = Registries()
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler(self.played))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.origin = f"http://127.0.0.1:{server.server_port}"

    def audit(self, **accepted):
        packages = locked(self.root, ["Cargo.lock", "package-lock.json", "requirements.txt"])
        self.assertEqual(len(packages), 3)
        asked = [Crates(self.origin), Npm(self.origin), PyPI(self.origin)]
        return audit(packages, asked, accepted)

    def assert_failures(self, *expected, **accepted):
        self.assertEqual(sorted(self.audit(**accepted).failures), sorted(expected))

    def test_nothing_is_said_of_what_is_well(self):
        self.assert_failures()

    def test_what_was_withdrawn_or_given_up_is_found(self):
        self.played.crate["yanked"] = True
        self.played.npm["deprecated"] = "use preact"
        self.played.file["yanked"] = "broken"
        self.assert_failures(
            "crates.io: tokio 1.2.3: withdrawn by its authors",
            "npm: react 19.0.0: given up by its authors: use preact",
            "PyPI: Num_Py 2.0.0: withdrawn by its authors: broken",
        )

    def test_another_file_than_the_locked_one_is_found(self):
        self.played.crate["cksum"] = OTHER
        self.played.npm["dist"]["integrity"] = "sha256-zc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc0="
        self.played.file["hashes"]["sha256"] = OTHER
        self.assert_failures(
            "crates.io: tokio 1.2.3: is not the file that was locked",
            "npm: react 19.0.0: is not the file that was locked",
            "PyPI: Num_Py 2.0.0: has no file that was locked any more",
        )

    def test_what_is_known_against_a_package_is_found_where_it_is_told(self):
        advisory = {"severity": "high", "vulnerable_versions": "<19.0.1", "title": "Anybody may", "url": "https://a/1"}
        self.played.npm_advisories = {"react": [advisory]}
        self.played.vulnerabilities = [{"id": "PYSEC-1", "aliases": ["CVE-1"], "summary": "Somebody may", "withdrawn": None}]
        self.assert_failures(
            "npm: react 19.0.0: vulnerable (high, <19.0.1): Anybody may https://a/1",
            "PyPI: Num_Py 2.0.0: vulnerable (PYSEC-1, CVE-1): Somebody may",
        )

    def test_where_it_is_not_told_that_is_said(self):
        self.played.npm_advisories = None
        self.played.vulnerabilities = None
        result = self.audit()
        self.assertEqual(result.failures, [])
        silent = [line for line in result.said if line.endswith("tells no advisories")]
        self.assertEqual([line.split(",")[0] for line in silent], ["crates.io", "npm", "PyPI"])

    def test_what_is_borne_for_a_reason_is_no_failure_and_the_reason_goes_with_it(self):
        self.played.npm["deprecated"] = "use preact"
        accepted = {"npm: react 19.0.0": "preact lacks what we need"}
        self.assert_failures(**accepted)
        del self.played.npm["deprecated"]
        [failure] = self.audit(**accepted).failures
        self.assertIn("take it out of accepted.toml", failure)

    def test_a_registry_that_cannot_be_asked_is_named_and_stops_nobody(self):
        self.played.status = 503
        with mock.patch.object(registries, "TRIES", 1):
            result = self.audit(**{"npm: react 19.0.0": "preact lacks what we need"})
        self.assertEqual(result.failures, [])
        self.assertIn("npm could not be asked about all of its 1: 127.0.0.1: status 503", result.said)


if __name__ == "__main__":
    unittest.main()
