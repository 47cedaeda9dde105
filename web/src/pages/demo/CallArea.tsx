/** The heart of `/Demo`: the lamp, the one button, the state of the call, the captions. */
import { Button } from "@base-ui/react/button";
import { useEffect, useRef } from "react";
import { Facade } from "../../brand/Facade.tsx";
import { LampWindow } from "../../brand/LampWindow.tsx";
import type { VoiceCall } from "../../call/use-voice-call.ts";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon, PhoneIcon } from "../../ui/icons.tsx";
import type { VoiceClient } from "../../voice/voice-client.ts";
import { CaptionLog } from "./CaptionLog.tsx";
import { buttonLabel, floorStatus, lampState, lineStatus } from "./call-words.ts";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { VolumeMeter } from "./VolumeMeter.tsx";

interface CallAreaProps {
  name: string;
  client: VoiceClient;
  call: VoiceCall;
  /** The server did not answer when the page asked for its configuration. */
  serverDown: boolean;
}

export function CallArea({ name, client, call, serverDown }: CallAreaProps) {
  const { state, captions } = call;
  const lamp = useLampLevel(client);
  const inCall = state.status === "active";
  const trouble =
    state.trouble ?? (serverDown ? "server-unreachable" : state.status === "error" ? "call-refused" : null);
  const showsCaptions = inCall || captions.length > 0;

  return (
    <section
      aria-labelledby="call-heading"
      data-status={state.status}
      className="night relative isolate overflow-hidden rounded-panel bg-[#0f1a35] text-ink shadow-lifted"
    >
      <Facade
        columns={16}
        rows={6}
        className="absolute inset-0 -z-10 size-full [mask-image:linear-gradient(100deg,black_12%,transparent_62%)] max-md:[mask-image:linear-gradient(180deg,black_5%,transparent_38%)]"
      />
      <div className="grid gap-x-10 gap-y-6 px-5 py-8 sm:px-10 sm:py-12 md:grid-cols-[minmax(13rem,17rem)_1fr] lg:grid-cols-[22rem_1fr] lg:gap-x-16 lg:px-16 lg:py-14">
        <div className="flex flex-col items-center justify-center">
          <LampWindow
            ref={lamp}
            state={trouble && !inCall ? "trouble" : lampState(state)}
            className={`${showsCaptions ? "h-28" : "h-44"} sm:h-56 md:h-auto md:w-full md:max-w-72`}
          />
        </div>

        <div className="flex min-w-0 flex-col justify-center md:min-h-[25rem]">
          <h1
            id="call-heading"
            className={
              showsCaptions || trouble
                ? "font-serif text-title font-medium text-quiet"
                : "font-serif text-display font-medium"
            }
          >
            {showsCaptions || trouble ? "Your call" : "A light is on for you"}
          </h1>
          {!showsCaptions && !trouble && (
            <p className="mt-4 max-w-[46ch] text-lg text-quiet">
              Press <strong className="font-semibold text-ink">Talk to {name}</strong> to start the
              demonstration. Your browser will ask for the microphone. {name} speaks first, and there is no
              hurry.
            </p>
          )}

          {trouble && !inCall && state.status !== "loading" && <TroubleNotice trouble={trouble} />}
          {showsCaptions && <CaptionLog captions={captions} assistantName={name} live={inCall} />}

          <div className="mt-7 flex flex-wrap items-center gap-x-4 gap-y-5">
            <Button
              focusableWhenDisabled
              disabled={state.status === "loading"}
              onClick={call.press}
              className="inline-flex min-h-16 min-w-64 items-center justify-center gap-3 rounded-full px-8 text-lg font-bold transition-[background-color,box-shadow,color] duration-300 max-sm:grow data-[status=active]:min-w-36 data-[status=active]:px-6 data-[status=active]:border-2 data-[status=active]:border-ink data-[status=active]:text-ink data-[status=active]:hover:bg-ink data-[status=active]:hover:text-[#0f1a35] data-[status=error]:bg-lamp data-[status=error]:text-on-lamp data-[status=inactive]:bg-lamp data-[status=inactive]:text-on-lamp data-[status=inactive]:shadow-[0_0_0_6px_rgb(255_197_102/0.14),0_0_48px_-4px_rgb(255_197_102/0.45)] data-[status=inactive]:hover:bg-[#ffd488] data-[status=loading]:border-2 data-[status=loading]:border-lamp data-[status=loading]:text-lamp-ink"
              data-status={state.status}
            >
              {inCall ? <HangUpIcon className="size-6" /> : <PhoneIcon className="size-6" />}
              {buttonLabel(state, name)}
            </Button>
            {inCall && (
              <Button
                aria-pressed={state.muted}
                onClick={call.toggleMute}
                className="inline-flex min-h-16 items-center gap-2.5 rounded-full border border-line-strong px-5 font-semibold hover:border-ink aria-pressed:bg-ink aria-pressed:text-[#0f1a35]"
              >
                {state.muted ? <MicrophoneOffIcon /> : <MicrophoneIcon />}
                Mute
              </Button>
            )}
          </div>

          <div className="mt-6 flex min-h-12 flex-wrap items-center gap-x-6 gap-y-3">
            <VolumeMeter client={client} lit={inCall} />
            <div>
              {inCall && (
                <p className="settles text-lg font-semibold" key={String(state.speaking)}>
                  {floorStatus(state)}
                </p>
              )}
              <p role="status" className={inCall ? "text-sm text-quiet" : "text-base text-ink"}>
                {lineStatus(state, name)}
              </p>
              {!inCall && state.status !== "loading" && lineStatus(state, name) === "" && (
                <p className="text-sm text-quiet">{name} is an AI, not a person. In an emergency ring 999.</p>
              )}
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

/** Gives the lamp the assistant's volume, ten times a second, without rendering anything. */
function useLampLevel(client: VoiceClient) {
  const lamp = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const show = (level: number) => lamp.current?.style.setProperty("--level", level.toFixed(2));
    const removals = [client.on("volume-level", show), client.on("call-end", () => show(0))];
    return () => {
      for (const remove of removals) remove();
    };
  }, [client]);
  return lamp;
}
