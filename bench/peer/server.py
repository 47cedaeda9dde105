"""Pipecat as a helpline: the peer that Nightlight is measured beside. `bench/peers.py` starts one on each core.

Everything that speaks, hears and carries sound is Pipecat's own: its WebRTC transport, voice detection, Moonshine and
Kokoro services and turn-taking. In the place of the chat model stands a list of replies. Ours are: the same model files
as Nightlight has, and offers by WHIP (RFC 9725), so that the same callers ring both.

What its authors would have done for many calls in a process is done: models are loaded once and not for every call, the
transcriber's own voice detection, a second one, is off, the event loop is the faster uvloop, and nothing is logged or
reported. With `--rendered` it has all that it says as sound, as Nightlight has what is always said; `--render` makes that
file.

Prints `ready PORT` when it takes calls, and ends when its standard input does.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("LOGURU_LEVEL", "ERROR")
# As Nightlight has it: one thread for a transcription, so that they do not slow each other down.
os.environ.setdefault("MOONSHINE_ORT_SINGLE_THREAD", "1")

import aioice.ice  # noqa: E402
import numpy  # noqa: E402
import pipecat.services.kokoro.tts  # noqa: E402
import uvloop  # noqa: E402
from aiohttp import web  # noqa: E402
from kokoro_onnx import SAMPLE_RATE, Kokoro  # noqa: E402
from moonshine_voice import ModelArch, Transcriber  # noqa: E402
from pipecat.audio.vad.silero import SileroVADAnalyzer  # noqa: E402
from pipecat.audio.vad.vad_analyzer import VADParams  # noqa: E402
from pipecat.frames.frames import LLMContextFrame, LLMFullResponseEndFrame, LLMFullResponseStartFrame, LLMTextFrame, TTSAudioRawFrame, TTSSpeakFrame  # noqa: E402, E501
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams  # noqa: E402
from pipecat.processors.frame_processor import FrameProcessor  # noqa: E402
from pipecat.services.kokoro.tts import KokoroTTSService  # noqa: E402
from pipecat.services.moonshine.stt import MoonshineSTTService  # noqa: E402
from pipecat.transports.base_transport import TransportParams  # noqa: E402
from pipecat.transports.smallwebrtc.connection import SmallWebRTCConnection  # noqa: E402
from pipecat.transports.smallwebrtc.transport import SmallWebRTCTransport  # noqa: E402
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy  # noqa: E402
from pipecat.turns.user_turn_strategies import UserTurnStrategies  # noqa: E402
from pipecat.utils.text.simple_text_aggregator import SimpleTextAggregator  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402

# Pipecat's recommended value, which its turn-taking is tuned to; the rest of the wait comes after it.
VAD_STOP_SECONDS = 0.2
VOICE, PACE = "af_heart", 0.85


class Models:
    """Loaded once and shared by every call."""

    def __init__(self, engines: Path):
        self.transcriber = Transcriber(
            engines / "moonshine-0.0.73/moonshine_voice/assets/tiny-en", ModelArch.TINY,
            options={"vad_threshold": "0", "return_audio_data": "false"},
        )  # fmt: skip
        kokoro = engines / "kokoro-1.0"
        style = numpy.fromfile(kokoro / f"voices/{VOICE}.bin", dtype=numpy.float32).reshape(-1, 1, 256)
        with tempfile.NamedTemporaryFile(suffix=".npz") as voices:
            numpy.savez(voices, **{VOICE: style})
            voices.flush()
            self.kokoro = Kokoro(str(kokoro / "model.onnx"), voices.name)
        # Out of the file, which would be read again for every sentence.
        self.kokoro.voices = {VOICE: style}
        # The service loads a model for every call.
        pipecat.services.kokoro.tts.Kokoro = lambda *_: self.kokoro
        pipecat.services.kokoro.tts._ensure_model_files = lambda *_: None


class SharedMoonshine(MoonshineSTTService):
    def __init__(self, transcriber: Transcriber):
        self._shared = transcriber
        super().__init__(settings=self.Settings(model="tiny"), ttfs_p99_latency=0.5)

    def _load(self) -> Transcriber:
        return self._shared


class SharedKokoro(KokoroTTSService):
    """Kokoro, which says again what is kept as sound."""

    def __init__(self, kept: dict[str, bytes]):
        self._kept = kept
        super().__init__(settings=self.Settings(voice=VOICE, speed=PACE))

    async def run_tts(self, text: str, context_id: str):
        sound = self._kept.get(text)
        if sound:
            yield TTSAudioRawFrame(audio=sound, sample_rate=SAMPLE_RATE, num_channels=1, context_id=context_id)
            return
        async for frame in super().run_tts(text, context_id):
            yield frame


class Replies(FrameProcessor):
    """In the place of a chat model: the next reply, whole and at once."""

    def __init__(self, replies: list[str]):
        super().__init__()
        self._replies = replies
        self._said = 0

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if not isinstance(frame, LLMContextFrame):
            await self.push_frame(frame, direction)
            return
        reply = self._replies[min(self._said, len(self._replies) - 1)]
        self._said += 1
        await self.push_frame(LLMFullResponseStartFrame())
        await self.push_frame(LLMTextFrame(reply))
        await self.push_frame(LLMFullResponseEndFrame())


class Helpline:
    def __init__(self, models: Models, greeting: str, replies: list[str], wait: float, kept: dict[str, bytes]):
        self.models, self.greeting, self.replies, self.wait, self.kept = models, greeting, replies, wait, kept
        self.connections: dict[str, SmallWebRTCConnection] = {}
        self.calls: set[asyncio.Task] = set()

    async def offered(self, request: web.Request) -> web.Response:
        connection = SmallWebRTCConnection(ice_servers=[])
        await connection.initialize(sdp=await request.text(), type="offer")
        call = asyncio.create_task(self.hold(connection))
        self.calls.add(call)
        call.add_done_callback(self.calls.discard)
        self.connections[request.match_info["call"]] = connection
        return web.Response(
            status=201, text=connection.get_answer()["sdp"], content_type="application/sdp", headers={"Location": request.path}
        )

    async def hung_up(self, request: web.Request) -> web.Response:
        connection = self.connections.pop(request.match_info["call"], None)
        if connection:
            await connection.disconnect()
        return web.Response()

    async def hold(self, connection: SmallWebRTCConnection) -> None:
        transport = SmallWebRTCTransport(
            webrtc_connection=connection, params=TransportParams(audio_in_enabled=True, audio_out_enabled=True)
        )
        turns = UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=self.wait - VAD_STOP_SECONDS)])
        user, assistant = LLMContextAggregatorPair(
            LLMContext(),
            user_params=LLMUserAggregatorParams(
                vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=VAD_STOP_SECONDS)), user_turn_strategies=turns
            ),
        )
        pipeline = Pipeline([
            transport.input(), SharedMoonshine(self.models.transcriber), user, Replies(self.replies), SharedKokoro(self.kept),
            transport.output(), assistant,
        ])  # fmt: skip
        worker = PipelineWorker(pipeline, enable_rtvi=False, enable_turn_tracking=False)
        runner = WorkerRunner(handle_sigint=False)

        @transport.event_handler("on_client_connected")
        async def greet(_transport, _client):
            await worker.queue_frame(TTSSpeakFrame(self.greeting))

        @transport.event_handler("on_client_disconnected")
        async def end(_transport, _client):
            await runner.cancel()

        await runner.add_workers(worker)
        await runner.run()


async def render(models: Models, greeting: str, replies: list[str], into: Path) -> None:
    """Every sentence of the replies, cut where the service cuts them; the greeting, which it does not cut."""
    sentences = [greeting]
    for reply in replies:
        cut = SimpleTextAggregator()
        sentences += [part.text async for part in cut.aggregate(reply)]
        rest = await cut.flush()
        sentences += [rest.text] if rest else []
    sounds = [models.kokoro.create(sentence, voice=VOICE, speed=PACE, lang="en-us")[0] for sentence in sentences]
    numpy.savez(into, texts=sentences, **{str(number): sound for number, sound in enumerate(sounds)})


def rendered(file: Path) -> dict[str, bytes]:
    kept = numpy.load(file)
    return {str(text): (kept[str(number)] * 32767).astype(numpy.int16).tobytes() for number, text in enumerate(kept["texts"])}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", type=Path, required=True)
    parser.add_argument("--says", type=Path, required=True, help='JSON: {"greeting": "…", "replies": ["…", …]}')
    parser.add_argument("--wait", type=float, help="from the caller's last sound to the reply, at the least")
    parser.add_argument("--rendered", type=Path, help="what it says, as sound; without it every sentence is made when it is said")
    parser.add_argument("--render", type=Path, help="make that file and end")
    arguments = parser.parse_args()

    says = json.loads(arguments.says.read_text())
    models = Models(arguments.engines)
    if arguments.render:
        await render(models, says["greeting"], says["replies"], arguments.render)
        return
    # aioice leaves the loopback out, and the callers are on this machine.
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"] if use_ipv4 else []
    kept = rendered(arguments.rendered) if arguments.rendered else {}
    helpline = Helpline(models, says["greeting"], says["replies"], arguments.wait, kept)
    application = web.Application()
    application.router.add_post("/whip/{call}", helpline.offered)
    application.router.add_delete("/whip/{call}", helpline.hung_up)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print("ready", runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


if __name__ == "__main__":
    uvloop.run(main())
