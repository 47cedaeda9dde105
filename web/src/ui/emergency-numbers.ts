/** Whom to ring now. In the page itself, so that they show when the server is down. */
export interface EmergencyNumber {
  /** As written, grouped for reading. */
  number: string;
  /** Who answers. */
  who: string;
  /** When to choose it. */
  when: string;
  href: string;
}

export const EMERGENCY_NUMBERS: readonly EmergencyNumber[] = [
  { number: "999", who: "Police", when: "Someone is hurting you or about to", href: "tel:999" },
  { number: "995", who: "Ambulance", when: "An injury, or an overdose", href: "tel:995" },
  { number: "1767", who: "SOS", when: "Thoughts of ending your life, day or night", href: "tel:1767" },
  { number: "1800 777 0000", who: "NAVH", when: "Violence or abuse, day or night", href: "tel:18007770000" },
  { number: "70999", who: "SMS police", when: "It is not safe to speak", href: "sms:70999" },
];
