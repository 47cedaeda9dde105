/** The agencies' codes, as records hold them, and who stands behind each. */
export const AGENCY_NAMES: Readonly<Record<string, string>> = {
  SPF: "Singapore Police Force",
  SOS: "Samaritans of Singapore",
  FSC: "Family Service Centre",
  SACC: "Sexual Assault Care Centre",
  DVERT: "Domestic Violence Emergency Response Team",
  PAVE: "PAVE Integrated Services",
  NAVH: "National Anti-Violence and Sexual Harassment Helpline",
  CPS: "Child Protective Service",
  APS: "Adult Protective Service",
};

/** What a duty officer must know about how an agency was chosen; most need no word. */
export function routingNote(agency: string | null | undefined): string | null {
  switch (agency) {
    case "CPS":
      return "Routed by age: 18 or under. The law calls a child anyone below 18; check which service is meant for a caller aged 18.";
    case "APS":
      return "Routed by age: 19 or over. The law’s vulnerable adult is 18 or over and unable to protect themselves; check that this is so.";
    default:
      return null;
  }
}
