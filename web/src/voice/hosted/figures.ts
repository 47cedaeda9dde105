/**
 * The figures of a call on the hosted platform, in one place. Those of its volume and its speech hold for every call and
 * stand in `levels.ts`; the wait of a mobile device, in `voice-client.ts`.
 */

/** How often the call library, and then its vendor's script, are tried to be loaded. */
export const LOAD_ATTEMPTS = 3;
/** Between two of them. */
export const LOAD_AGAIN_AFTER_MS = 3000;
/** How long each may take. */
export const LOAD_WITHIN_MS = 20_000;

/** For all the tries for the vendor's script, which the library makes by itself as it joins, and then for joining. */
export const JOIN_WITHIN_MS =
  LOAD_ATTEMPTS * LOAD_WITHIN_MS + (LOAD_ATTEMPTS - 1) * LOAD_AGAIN_AFTER_MS + 20_000;
/** Leaving waits for nobody longer. */
export const LEAVE_WITHIN_MS = 2000;
/** A ticket that takes longer is done without: the call matters more than its record. */
export const TICKET_WITHIN_MS = 3000;

/** How the platform names the participant whose voice is the assistant's. */
export const ASSISTANT_PARTICIPANT = "Vapi Speaker";
