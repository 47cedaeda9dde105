"""What each registry says of a package: withdrawn (yanked), given up (deprecated), not the file that was locked, and, where
it is offered, known to be vulnerable."""

import json
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request

from .locks import integrity

SECONDS = 20
TRIES = 3
# Made once: reading the machine's certificates takes longer than asking.
OPENER = urllib.request.build_opener(urllib.request.HTTPSHandler(context=ssl.create_default_context()))


class NotAnswered(Exception):
    """A registry that could not be asked: which, and why."""


def ask(url, accept="application/json", body=None):
    """The answer's text, or `None` where there is nothing at that place."""
    headers = {"Accept": accept, "User-Agent": "nightlight lint-dependencies"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data=body, headers=headers)
    for left in reversed(range(TRIES)):
        try:
            with OPENER.open(request, timeout=SECONDS) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code in (404, 405, 410):
                return None
            trouble = f"status {error.code}"
        except (OSError, UnicodeDecodeError) as error:
            trouble = type(error).__name__
        if not left:
            raise NotAnswered(f"{urllib.parse.urlsplit(url).hostname}: {trouble}")


class Crates:
    name = "crates.io"
    # RustSec's are kept elsewhere.
    tells_advisories = False

    def __init__(self, origin="https://index.crates.io"):
        self.origin = origin

    def findings(self, package):
        name = package.name.lower()
        folder = {1: "1", 2: "2", 3: f"3/{name[0]}"}.get(len(name)) or f"{name[:2]}/{name[2:4]}"
        said = ask(f"{self.origin}/{folder}/{name}")
        for line in (said or "").splitlines():
            if f'"vers":"{package.version}"' not in line.replace('": "', '":"'):
                continue
            release = json.loads(line)
            if release.get("yanked"):
                yield "withdrawn by its authors"
            if f"sha256:{release['cksum']}" not in package.hashes:
                yield "is not the file that was locked"
            return
        yield "is not there any more"


class Npm:
    name = "npm"

    def __init__(self, origin="https://registry.npmjs.org"):
        self.origin = origin
        self.tells_advisories = True

    def findings(self, package):
        said = ask(f"{self.origin}/{urllib.parse.quote(package.name, safe='@')}/{package.version}")
        if said is None:
            yield "is not there any more"
            return
        release = json.loads(said)
        if why := release.get("deprecated"):
            yield f"given up by its authors: {why}"
        if package.hashes and not package.hashes & set(integrity(release["dist"].get("integrity", ""))):
            yield "is not the file that was locked"

    def advisories(self, packages):
        """What is known against these, all at once."""
        versions = {}
        for package in packages:
            versions.setdefault(package.name, []).append(package.version)
        said = ask(f"{self.origin}/-/npm/v1/security/advisories/bulk", body=json.dumps(versions).encode())
        if said is None:
            self.tells_advisories = False
            return []
        of_name = {package.name: package for package in packages}
        return [
            (of_name[name], f"vulnerable ({one['severity']}, {one['vulnerable_versions']}): {one['title']} {one['url']}")
            for name, known in json.loads(said).items()
            for one in known
        ]


class PyPI:
    name = "PyPI"

    def __init__(self, origin="https://pypi.org"):
        self.origin = origin
        # Not every mirror does.
        self.tells_advisories = True

    def findings(self, package):
        said = ask(f"{self.origin}/simple/{normal(package.name)}/", "application/vnd.pypi.simple.v1+json")
        files = [file for file in json.loads(said)["files"] if self.is_locked(file, package)] if said else []
        if not files:
            yield "has no file that was locked any more"
            return
        for why in {file["yanked"] for file in files if file.get("yanked")}:
            yield "withdrawn by its authors" + (f": {why}" if isinstance(why, str) else "")
        if not self.tells_advisories:
            return
        known = ask(f"{self.origin}/pypi/{package.name}/{package.version}/json")
        if known is None:
            self.tells_advisories = False
            return
        for one in json.loads(known).get("vulnerabilities") or []:
            if not one.get("withdrawn"):
                yield f"vulnerable ({', '.join([one['id'], *one.get('aliases', [])])}): {one.get('summary') or one.get('link', '')}"

    @staticmethod
    def is_locked(file, package):
        if package.hashes:
            return f"sha256:{file['hashes'].get('sha256')}" in package.hashes
        # `name-version-…whl` and `name-version.tar.gz`, the name in whichever spelling.
        name, _, rest = file["filename"].partition(f"-{package.version}")
        return normal(name) == normal(package.name) and rest[:1] in ("-", ".")


def normal(name):
    """A project's name as PyPI compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
