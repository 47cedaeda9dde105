/** The fixtures of tests at the desk: a server of each test's own with a desk, and whoever comes to it. */
import { DutyOfficer, openDesk } from "./duty-officer.ts";
import { test as base } from "./fixtures.ts";
import { type RunningServer, startServer } from "./server.ts";

export const test = base.extend<{
  /** Of the desk's server. Its voice is one that is there at once, unless a test is about how it sounds. */
  deskSettings: Record<string, string>;
  desk: RunningServer;
  officer: (name: string, role?: "officer" | "supervisor") => Promise<DutyOfficer>;
}>({
  deskSettings: [{ VOICE: "slt" }, { option: true }],
  desk: async ({ deskSettings }, use) => {
    const server = await startServer({ OFFICERS_ANSWER_WITHIN_SECONDS: "20", ...deskSettings });
    openDesk(server);
    await use(server);
    await server.stop();
  },
  officer: async ({ desk }, use) => {
    const officers: DutyOfficer[] = [];
    await use(async (name, role = "officer") => {
      const agencies = role === "officer" ? "SPF,SOS" : undefined;
      const officer = await DutyOfficer.signedIn(desk, { name, role, ...(agencies && { agencies }) });
      officers.push(officer);
      return officer;
    });
    await Promise.all(officers.map((officer) => officer.close()));
  },
});

export { expect } from "./fixtures.ts";
