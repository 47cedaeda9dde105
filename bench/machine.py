"""What the figures were measured on: a figure without its machine means nothing."""

import os
import platform
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


# The results of measurements, and pages, docs/benchmarks.md among them: no part of what is measured.
NOT_MEASURED = ("bench/results", "docs")


def commit() -> str:
    """What is measured."""
    at = output(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]) or "unknown"
    return f"{at} and changes" if changed_files() else at


def changed_files() -> list[str]:
    """What is not as it was committed, of all that is measured."""
    return output(["git", "-C", str(ROOT), "diff", "--name-only", "HEAD", "--", ".", *(f":!{path}" for path in NOT_MEASURED)]).splitlines()


def describe_machine() -> dict:
    return {
        "date": date.today().isoformat(),
        "cpu": field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(int((field("/proc/meminfo", "MemTotal") or "0 kB").split()[0]) / 1024 / 1024, 1),
        "kernel": f"{platform.system()} {platform.release()}",
        "system": field("/etc/os-release", "PRETTY_NAME", "=").strip('"'),
        "commit": commit(),
        "rust": output(["rustc", "--version"]) or "unknown",
    }


def load_average() -> float:
    """Over the last minute: tells whether others were using the machine too."""
    return os.getloadavg()[0]


def field(path: str, name: str, separator: str = ":") -> str:
    try:
        for line in Path(path).read_text().splitlines():
            key, found, value = line.partition(separator)
            if found and key.strip() == name:
                return value.strip()
    except OSError:
        pass
    return ""


def output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


if __name__ == "__main__":
    machine = describe_machine()
    print(f"{machine['date']}, {machine['cpu']}, {machine['cores']} cores, commit {machine['commit']}")
