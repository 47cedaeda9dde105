/**
 * How each agency is reached: the page's own copy of `config/agencies.toml`, for when no server answers.
 * A test holds it to that file.
 */

export interface Contact {
  telephone?: string;
  sms?: string;
  /** Something about it could not be confirmed; wherever the number is shown, that is said. */
  unconfirmed?: boolean;
}

export const CONTACTS: Readonly<Record<string, Contact>> = {
  SPF: { telephone: "999", sms: "70999" },
  SCDF: { telephone: "995", sms: "70995" },
  SOS: { telephone: "1767" },
  FSC: {},
  SACC: { telephone: "6779 0282", unconfirmed: true },
  DVERT: {},
  PAVE: { telephone: "6555 0390", unconfirmed: true },
  NAVH: { telephone: "1800 777 0000" },
  CPS: {},
  APS: {},
  MINDLINE: { telephone: "1771" },
};

export const telephoneLink = (number: string) => `tel:${number.replaceAll(" ", "")}`;
export const smsLink = (number: string) => `sms:${number.replaceAll(" ", "")}`;

/** Whose line leads to an agency. */
export interface Reach {
  code: string;
  telephone: string;
}

/** The agency's own line; where it has none, or none that was confirmed, the helpline that leads there. */
export function reachOf(agency: string): Reach {
  const { telephone, unconfirmed } = CONTACTS[agency] ?? {};
  if (telephone && !unconfirmed) return { code: agency, telephone };
  return { code: "NAVH", telephone: "1800 777 0000" };
}
