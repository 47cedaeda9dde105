/** Who is named in a transcript, and which numbers in it can be rung. */
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { CallTranscript } from "./CallTranscript.tsx";

it("has links to the numbers that the assistant gave, and none in the caller's own words", () => {
  const messages = [
    { role: "bot", message: "The police are on 999, or text 70999. Thank you, that's Block 999." },
    { role: "user", message: "I rang 999 and 1767." },
    { role: "bot", message: "Violence or abuse: 1800 777 0000." },
  ];
  render(<CallTranscript messages={messages} assistantName="Nightlight" place={null} />);
  expect(screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["999", "tel:999"],
    ["70999", "sms:70999"],
    ["1800 777 0000", "tel:18007770000"],
  ]);
});

it("names the officer beside the caller and the assistant, and leaves out what nobody said", () => {
  const messages = [
    { role: "system", message: "hidden" },
    { role: "bot", message: "Are you safe?" },
    { role: "user", message: "No." },
    { role: "officer", message: "I am Mei, from PAVE." },
  ];
  render(<CallTranscript messages={messages} assistantName="Nightlight" place={null} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "NightlightAre you safe?",
    "CallerNo.",
    "OfficerI am Mei, from PAVE.",
  ]);
});
