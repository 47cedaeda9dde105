/** `/Companion`, the main-app page: landing page B, and below it what stands behind it and who made it. */
import { PageHead } from "../../ui/PageHead.tsx";
import { CompanionLanding } from "./CompanionLanding.tsx";
import { CreatorFooter } from "./CreatorFooter.tsx";
import { HelplineSection } from "./HelplineSection.tsx";
import { PeopleSection } from "./PeopleSection.tsx";

export function CompanionPage() {
  return (
    <>
      <PageHead
        title="Candle – Your 24/7 AI Friend for Life's Ups and Downs"
        description="Candle is an AI companion for teenagers in Singapore: there at any hour, free, and without judgement. Try a preview."
      />
      <CompanionLanding />
      <HelplineSection />
      <PeopleSection />
      <CreatorFooter />
    </>
  );
}
