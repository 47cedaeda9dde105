"""What the figures were measured on: a figure without its machine means nothing."""

import os
import platform
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def commit() -> str:
    """What is measured; the results of other measurements are no change to it."""
    at = output(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]) or "unknown"
    changed = output(["git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/results", ":!docs"])
    return f"{at} and changes" if changed else at


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
