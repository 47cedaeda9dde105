/** `/`: landing page A, for the teams who must be able to trust the service. */
import { PageHead } from "../../ui/PageHead.tsx";
import { Hero } from "./Hero.tsx";
import { InsightsSection } from "./InsightsSection.tsx";
import { Marquee } from "./Marquee.tsx";
import { PoweredBy } from "./PoweredBy.tsx";
import { SegmentSection } from "./SegmentSection.tsx";

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
      <InsightsSection />
      <PoweredBy />
    </>
  );
}
