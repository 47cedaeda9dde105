/** Every path of the site and every address outside it. Paths match in any letter case. */
export const paths = {
  landing: "/",
  demo: "/demo",
  candle: "/candle",
  companion: "/companion",
  /** For operators: no page leads there. */
  status: "/status",
  /** For who writes programs: no page leads there either. */
  apiDocs: "/docs/api",
  /** For duty officers and their supervisors: no page leads there either. */
  desk: "/desk",
} as const;

/** The server's own way out, which clears what a script would have cleared, and then leads to the neutral page. */
export const LEAVE_WITHOUT_SCRIPT = "/leave";

/** The anchor of the landing page's segment section. */
export const SEGMENT = "segment";

/** Addresses outside the site; the server's configuration may name others for the first two. */
export const links = {
  feedback: "https://nightlight.example/feedback",
  platform: "https://vapi.ai",
  /** Where "Exit this page" leads: a page anyone might be looking at. The server knows it too, for /leave. */
  neutral: "https://www.weather.gov.sg/home/",
  /** The study behind "1 in 3 youth": ages 11 to 18, National University of Singapore. */
  youthStudy: "https://www.temasekfoundation.org.sg/work/tsc-youth-mental-health-session-1",
} as const;
