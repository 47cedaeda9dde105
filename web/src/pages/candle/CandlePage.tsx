/** `/Candle`: a walk through the companion app. A mock: no microphone is opened, nobody listens. */
import { useEffect, useReducer, useRef } from "react";
import { useSiteLinks } from "../../api/use-site-links.ts";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { notBuiltYet } from "../../ui/not-built-yet.ts";
import { PageHead } from "../../ui/PageHead.tsx";
import { ToBeAddedLink } from "../../ui/ToBeAddedLink.tsx";
import { ConnectingStep, EndStep, InCallStep, MicrophoneStep, PersonaStep } from "./CandleSteps.tsx";
import { CONNECTS_AFTER_MS, next, START } from "./mock-call.ts";

export function CandlePage() {
  const [call, tell] = useReducer(next, START);
  const { feedback } = useSiteLinks();
  const { step } = call;

  useEffect(() => {
    if (step !== "connecting") return;
    const timer = setTimeout(() => tell({ type: "connected" }), CONNECTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [step]);

  // A new step takes the focus, so that it is read out and the keyboard goes on from there.
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    place.current?.focus();
  }, [step]);

  return (
    <div className="candle-app">
      <PageHead
        title="Candle – a preview of the companion app"
        description="Walk through a preview of Candle, an AI companion: choose one of two voices and see how a call would look. No microphone is used."
      />
      <div ref={place} tabIndex={-1} className="candle-step" data-step={step}>
        {call.step === "initial" && (
          <PersonaStep onPick={(persona) => tell({ type: "persona-picked", persona })} />
        )}
        {call.step === "request_microphone" && (
          <MicrophoneStep
            persona={call.persona}
            onAllow={() => tell({ type: "microphone-allowed" })}
            onBack={() => tell({ type: "persona-left" })}
          />
        )}
        {call.step === "connecting" && <ConnectingStep persona={call.persona} />}
        {call.step === "in_call" && (
          <InCallStep
            persona={call.persona}
            onMute={notBuiltYet.mute}
            onEnd={() => tell({ type: "call-ended" })}
          />
        )}
        {call.step === "end_call" && (
          <EndStep
            onLogin={notBuiltYet.login}
            onAgain={() => tell({ type: "started-again" })}
            feedback={<ExternalLink href={feedback}>Leave feedback here</ExternalLink>}
          />
        )}
      </div>
      <div className="px-6 pb-8 text-center text-sm text-quiet">
        <p>This is a preview. No microphone is used, and nothing is recorded.</p>
        <p className="mt-2">
          By using Candle you agree to its <ToBeAddedLink>Privacy Policy</ToBeAddedLink> and{" "}
          <ToBeAddedLink>Terms of Use</ToBeAddedLink>.
        </p>
      </div>
    </div>
  );
}
