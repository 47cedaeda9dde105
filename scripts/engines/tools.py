"""The registries' own clients, pip and npm: how each is asked for one package, and what its errors mean."""

import shutil
import subprocess
import sys

from .failure import Failure

NO_SPACE = ("No space left on device", "ENOSPC")
NO_NETWORK = (
    "NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "Max retries exceeded", "ProxyError",
    "Temporary failure in name resolution", "Network is unreachable", "Connection broken", "Read timed out",
    "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "ERR_SOCKET_TIMEOUT",
)  # fmt: skip
WRONG_HASH = ("DO NOT MATCH THE HASHES", "EINTEGRITY")
NOT_FOUND = ("No matching distribution found", "ETARGET", "E404")


def find_pip():
    """A pip that answers, as the start of a command line."""
    for command in ([sys.executable, "-m", "pip"], ["pip3"], ["pip"]):
        try:
            subprocess.run(command + ["--version"], check=True, capture_output=True)
            return command
        except (OSError, subprocess.CalledProcessError):
            continue
    raise Failure("pip is missing. Install it (apt-get install python3-pip) and run this again.")


def find_npm():
    if shutil.which("npm") is None:
        raise Failure("npm is missing. Install it (it comes with Node.js) and run this again.")
    return ["npm"]


def pip_command(pip, options, requirements, into, use_cache):
    return [
        *pip, "download",
        "--disable-pip-version-check", "--no-input", "--quiet", "--progress-bar", "off",
        "--no-deps", "--only-binary", ":all:", "--require-hashes",
        *([] if use_cache else ["--no-cache-dir"]),
        *options, "-r", str(requirements), "-d", str(into),
    ]  # fmt: skip


def npm_command(npm, package, into, use_cache):
    return [
        *npm, "pack", package,
        "--pack-destination", str(into), "--ignore-scripts", "--loglevel", "error",
        *([] if use_cache else ["--prefer-online"]),
    ]  # fmt: skip


def explain(tool, package, log):
    """Why the tool failed, from what it printed, and what to do."""
    said = lambda signs: any(sign in log for sign in signs)  # noqa: E731
    if said(NO_SPACE):
        return f"the disk is full (while {tool} fetched {package}). Make room, then run this again."
    if said(NO_NETWORK):
        mirror = "PIP_INDEX_URL" if tool == "pip" else "npm_config_registry"
        return f"{tool} could not connect to fetch {package}. Check the network (or {mirror}, if you use a mirror), then run this again."
    if said(NOT_FOUND):
        return (
            f"{tool} found no {package} for this machine. A mirror may lack it; "
            "the speech-to-text engine needs glibc 2.34 or later (Debian 12 has it)."
        )
    last = "\n".join(f"    {line}" for line in log.strip().splitlines()[-6:])
    return f"{tool} could not fetch {package}. It said:\n{last}"


def is_wrong_hash(log):
    return any(sign in log for sign in WRONG_HASH)
