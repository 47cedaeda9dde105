/** The cards of "Why Use Candle". */
import bedside from "../../brand/scenes/bedside.svg";
import closedDoor from "../../brand/scenes/closed-door.svg";
import twoCups from "../../brand/scenes/two-cups.svg";

export interface LandingCard {
  header: string;
  body: string;
  image: string;
  altText: string;
  /** Of the background and the text. Classes: the pages' policy lets no style be written into them. */
  colours: string;
}

export const REASONS: readonly LandingCard[] = [
  {
    header: "Always By Your Side",
    body: "Before an exam, after a fight, at 3 a.m. when nobody is up. Candle is there at any hour, for the big things and the small ones.",
    image: bedside,
    altText: "A candle burns in its jar on a bedside table; the moon stands in a round window.",
    colours: "bg-[#1b4794] text-white",
  },
  {
    header: "Safe & Private",
    body: "Chats are private and anonymous. You give no name, no school and no number, and what you say is not judged.",
    image: closedDoor,
    altText: "A closed door with a small sign of a padlock; warm light comes from under it.",
    colours: "bg-[#1a4d3b] text-white",
  },
  {
    header: "Support For No Cost",
    body: "Candle is free. Signing up, when it opens, will be free too, and give you longer conversations and more personalisation.",
    image: twoCups,
    altText: "Two cups of kopi and a small candle on a table.",
    colours: "bg-[#ffd48c] text-[#2b1a02]",
  },
];
