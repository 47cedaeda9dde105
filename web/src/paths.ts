/** Every path of the site and every address outside it. Paths match in any letter case. */
export const paths = {
  landing: "/",
  demo: "/Demo",
} as const;

/** Addresses outside the site; the server's configuration may name others for the first two. */
export const links = {
  feedback: "https://nightlight.example/feedback",
  platform: "https://vapi.ai",
  /** Where "Exit this page" leads: a page anyone might be looking at. */
  neutral: "https://www.weather.gov.sg/home/",
} as const;
