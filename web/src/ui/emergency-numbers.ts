/** Whom to ring now. In the page itself, so that they show when the server is down. */
export interface EmergencyNumber {
  /** As written, grouped for reading. */
  number: string;
  /** Who answers, in words that need no explaining: "SOS" alone reads as "help". */
  who: string;
  /** Whose line it is, where there is room to say so and `who` does not. */
  agency?: string;
  /** When to choose it. */
  when: string;
  href: string;
}

/** The emergency services first, then the helplines. */
export const EMERGENCY_NUMBERS: readonly EmergencyNumber[] = [
  { number: "999", who: "Police", when: "Someone is hurting you or about to", href: "tel:999" },
  { number: "995", who: "Ambulance", when: "An injury, or an overdose", href: "tel:995" },
  { number: "70999", who: "SMS police", when: "It is not safe to speak", href: "sms:70999" },
  {
    number: "1767",
    who: "Suicide helpline",
    agency: "Samaritans of Singapore",
    when: "Thoughts of ending your life, day or night",
    href: "tel:1767",
  },
  {
    number: "1800 777 0000",
    who: "Violence or abuse",
    agency: "National Anti-Violence Helpline",
    when: "At home or anywhere, day or night",
    href: "tel:18007770000",
  },
];
