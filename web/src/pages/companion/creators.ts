/** Who made this, and how to reach them. The addresses are placeholders until a launch: they lead nowhere. */
export const CREATORS = [
  {
    name: "First creator",
    profile: "https://profiles.example/nightlight-first",
    email: "first@nightlight.example",
  },
  {
    name: "Second creator",
    profile: "https://profiles.example/nightlight-second",
    email: "second@nightlight.example",
  },
] as const;
