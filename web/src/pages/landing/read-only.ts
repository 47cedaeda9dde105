/** What is only read further down on the landing page, in one chunk of script: see `ui/AsBuilt.tsx`. */
export { CallSteps } from "./CallSteps.tsx";
export { InsightsSection } from "./InsightsSection.tsx";
export { MeasuredSection } from "./MeasuredSection.tsx";
