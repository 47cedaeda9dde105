/** The server's own API as the page reads it. The server may add fields; the page passes them over. */

export interface PageConfig {
  voicePlatform: "embedded" | "hosted";
  publicKey: string;
  assistantId: string;
  squadId?: string | null;
  assistantName?: string;
  links?: { feedback?: string; platform?: string };
}

export interface StructuredInfo {
  name?: string | null;
  urgent?: boolean | null;
  location?: string | null;
  follow_up?: string | null;
  abuse_type?: string | null;
  transfer_to?: string | null;
  transferred?: boolean | null;
  latest_incident_date?: string | null;
}

export interface CallInfo {
  /** The record's sequential number; absent in the platform's own call-info shape. */
  id?: string | number | null;
  callId: string;
  /** "ended" once the call is over; other values while it is under way. */
  status?: string | null;
  startedAt?: string | null;
  durationSeconds?: number | null;
  summary?: string | null;
  summaryTitle?: string | null;
  structuredData?: StructuredInfo | null;
  messages?: { role: string; message: string }[] | null;
}
