/**
 * Runs in the page before its own script: a microphone that the test plays speech into, and measures
 * of the sound that reaches the caller. The calls themselves stay the page's own, over real media.
 */

export interface Probe {
  /** Plays a WAV file (base64) into the microphone; resolves when it has been heard to its end. */
  say(wav: string): Promise<void>;
  /** Energy received on WebRTC tracks so far, in the unit of `totalAudioEnergy`. */
  receivedEnergy(): Promise<number>;
  /** The loudest level that was played to the loudspeaker through an audio graph (the socket's way). */
  loudestPlayed(): number;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

export interface ProbeOptions {
  /** Whether the page's microphone is the scripted one; otherwise it is the browser's. */
  scriptedMicrophone: boolean;
}

export function installProbe({ scriptedMicrophone }: ProbeOptions): void {
  const connections: RTCPeerConnection[] = [];
  const NativeConnection = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends NativeConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };

  let energyOfClosed = 0;
  const energyOf = async (connection: RTCPeerConnection) => {
    let energy = 0;
    for (const report of (await connection.getStats()).values()) {
      if (report.type === "inbound-rtp" && report.kind === "audio") energy += report.totalAudioEnergy ?? 0;
    }
    return energy;
  };
  // A closed connection forgets what it received, so it is asked while it lives.
  setInterval(async () => {
    const energies = await Promise.all(connections.map(energyOf));
    energyOfClosed = Math.max(energyOfClosed, ...energies);
  }, 200);

  let loudest = 0;
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...args: unknown[]) => unknown;
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    if (args[0] === this.context.destination) {
      const analyser = new AnalyserNode(this.context, { fftSize: 4096 });
      const samples = new Float32Array(4096);
      connect.call(this, analyser);
      setInterval(() => {
        analyser.getFloatTimeDomainData(samples);
        loudest = Math.max(loudest, Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / 4096));
      }, 50);
    }
    return connect.apply(this, args);
  } as typeof AudioNode.prototype.connect;

  let context: AudioContext | null = null;
  let microphone: MediaStreamAudioDestinationNode | null = null;
  const native = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    if (!scriptedMicrophone) {
      // Synthetic speech is clean already, and automatic gain drives it into clipping.
      const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
      const stream = await native({ ...constraints, audio: plain });
      for (const track of stream.getAudioTracks()) track.applyConstraints = async () => {};
      return stream;
    }
    context ??= new AudioContext({ sampleRate: 48_000 });
    await context.resume();
    microphone = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
    // A microphone is never without sound, be it none: between two sayings frames go on.
    const quiet = new ConstantSourceNode(context, { offset: 0 });
    quiet.connect(microphone);
    quiet.start();
    return microphone.stream;
  };

  window.probe = {
    say: async (wav) => {
      if (!context || !microphone) throw new Error("the page has not opened its microphone");
      const bytes = Uint8Array.from(atob(wav), (character) => character.charCodeAt(0));
      const source = new AudioBufferSourceNode(context, {
        buffer: await context.decodeAudioData(bytes.buffer),
      });
      source.connect(microphone);
      await new Promise((resolve) => {
        source.onended = resolve;
        source.start();
      });
    },
    receivedEnergy: async () => Math.max(energyOfClosed, ...(await Promise.all(connections.map(energyOf)))),
    loudestPlayed: () => loudest,
  };
}
