/** The two voices one can choose between. They are lamps, not people. */
export interface Persona {
  name: "Ember" | "Lumi";
  manner: string;
}

export const PERSONAS: readonly Persona[] = [
  { name: "Ember", manner: "Calm and steady, for long nights" },
  { name: "Lumi", manner: "Bright and curious, for thinking aloud" },
];
