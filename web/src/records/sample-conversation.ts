/** Shown in the transcript view of a record that has no messages. Fictional. */
import type { RecordMessage } from "./call-record.ts";

export const SAMPLE_CONVERSATION: readonly RecordMessage[] = [
  {
    role: "bot",
    message: "Hello, this is Nightlight. I am an AI counsellor. Is it safe for you to talk right now?",
  },
  { role: "user", message: "Yes. Everyone is asleep." },
  { role: "bot", message: "Thank you for calling. Take your time. What would you like to talk about?" },
  { role: "user", message: "My brother has been shouting at me every night. I don't know who to tell." },
  { role: "bot", message: "That sounds frightening, and I am glad you told me. May I ask how old you are?" },
  { role: "user", message: "I would rather not say." },
  {
    role: "bot",
    message:
      "That is all right. A counsellor can reach out to you within the next working day. May I share what you told me with them?",
  },
  { role: "user", message: "Yes, please." },
];
