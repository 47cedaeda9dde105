/** The three kinds of people the service is for: what their cards say and show, and are headed when opened. */
import corridor from "../../brand/scenes/corridor.svg";
import firstLight from "../../brand/scenes/first-light.svg";
import phoneFaceDown from "../../brand/scenes/phone-face-down.svg";

export interface Picture {
  src: string;
  alt: string;
}

export const SEGMENTS = [
  {
    title: "For Victims of Abuse",
    modalTitle: "Learn how Nightlight comforts in crisis moments",
    text: "It is late, the office is closed, and saying it aloud is hard. Nightlight answers at any hour, asks one question at a time, and takes no for an answer.",
    picture: { src: phoneFaceDown, alt: "A phone lies face down on a table beside a lit lamp, at night." },
  },
  {
    title: "For Response Teams",
    modalTitle: "See how Nightlight amplifies responder readiness",
    text: "Police officers, social workers and helpline staff get the calls that cannot wait, already sorted, with what was said and why it was flagged.",
    picture: {
      src: corridor,
      alt: "The long corridor of a block of flats at night, with one door open and lit.",
    },
  },
  {
    title: "For Protection Centres",
    modalTitle: "Explore how Nightlight powers next-day continuity",
    text: "By first light every overnight call is a structured case summary on the morning team's dashboard, with the follow-up it needs.",
    picture: {
      src: firstLight,
      alt: "A desk at first light: on the laptop a list of cases, one of them marked.",
    },
  },
] as const satisfies readonly { title: string; modalTitle: string; text: string; picture: Picture }[];

export type Segment = (typeof SEGMENTS)[number];
