/** What the modal of each card says and shows. */
import caseNote from "../../brand/scenes/case-note.svg";
import kettle from "../../brand/scenes/kettle.svg";
import voidDeck from "../../brand/scenes/void-deck.svg";
import type { Picture, Segment } from "./segments.ts";

interface Details {
  paragraphs: readonly string[];
  picture: Picture;
  action: string;
}

export const DETAILS: Record<Segment["title"], Details> = {
  "For Victims of Abuse": {
    paragraphs: [
      "The first question is whether you are safe. After that Nightlight listens. It never presses for a name or an address, and does not ask again once someone has declined.",
      "When there is violence now, it asks what the police need to know and connects to them; when there are thoughts of suicide, it connects to Samaritans of Singapore. For shelter, family violence or sexual assault it asks before sharing anything with an agency.",
    ],
    picture: {
      src: kettle,
      alt: "A kettle comes to the boil in a kitchen at night; across the way one window is lit.",
    },
    action: "Talk to Nightlight in the demo",
  },
  "For Response Teams": {
    paragraphs: [
      "Words that point to danger, such as a weapon, a threat to kill or a wish to die, trigger an escalation. The call is flagged as high-risk and goes to the duty officer by warm transfer: the caller is told who is being connected and stays on the line.",
      "What the duty officer needs comes with it: who called, from where, what happened, and when it last happened. Responders can keep their hours for urgent care.",
    ],
    picture: {
      src: voidDeck,
      alt: "A void deck at night: a stone table, a bicycle against a pillar, and a lit lift.",
    },
    action: "See a high-risk call in the demo",
  },
  "For Protection Centres": {
    paragraphs: [
      "Each overnight call becomes one case summary: the kind of abuse, the latest incident, where the caller was brought in touch, and what to do next. Nobody has to piece a night together from memory.",
      "A caller who agrees to share their case is told that a counsellor will reach out within the next working day. The dashboard shows the team to whom that has been promised.",
    ],
    picture: {
      src: caseNote,
      alt: "A case note on a desk in the morning sun, its urgent line marked, beside a headset.",
    },
    action: "Read the case notes in the demo",
  },
};
