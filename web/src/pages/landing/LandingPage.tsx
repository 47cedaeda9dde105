/** `/`: landing page A, for the teams who must be able to trust the service. */
import { lazy } from "react";
import { AsBuilt } from "../../ui/AsBuilt.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Hero } from "./Hero.tsx";
import { Marquee } from "./Marquee.tsx";
import { PoweredBy } from "./PoweredBy.tsx";
import { SegmentSection } from "./SegmentSection.tsx";
import { SampleCall } from "./sample-call/SampleCall.tsx";

const CallSteps = lazy(async () => ({ default: (await import("./read-only.ts")).CallSteps }));
const InsightsSection = lazy(async () => ({ default: (await import("./read-only.ts")).InsightsSection }));
const MeasuredSection = lazy(async () => ({ default: (await import("./read-only.ts")).MeasuredSection }));

export function LandingPage() {
  return (
    <>
      <PageHead
        title="Nightlight – Voice AI Support for Singapore's Crisis Landscape"
        description="A 24/7 voice line that listens after hours, triages each call, and gives duty teams in Singapore a case note as soon as it ends."
      />
      <Hero />
      <Marquee />
      <SegmentSection />
      <AsBuilt id="call-steps">
        <CallSteps />
      </AsBuilt>
      <SampleCall />
      <AsBuilt id="insights">
        <InsightsSection />
        <MeasuredSection />
      </AsBuilt>
      <PoweredBy />
    </>
  );
}
