/** What a supervisor whispers to the assistant: one hint of the server's list, which it says in its own words. */
import { type FormEvent, useEffect, useId, useState } from "react";
import type { Hint } from "../../desk/contract.ts";
import { fetchHints, whisperHint } from "../../desk/desk-api.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { FIELD, PLAIN } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

export function HintControl({ callId }: { callId: string }) {
  const [hints, setHints] = useState<readonly Hint[]>([]);
  const [code, setCode] = useState("");
  const [told, setTold] = useState("");
  const [trouble, setTrouble] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const id = useId();

  useEffect(() => {
    let gone = false;
    fetchHints().then(
      (answer) => !gone && setHints(answer.hints),
      (error: unknown) => !gone && setTrouble(refusalWords(error)),
    );
    return () => {
      gone = true;
    };
  }, []);

  const whisper = async (event: FormEvent) => {
    event.preventDefault();
    const hint = hints.find((each) => each.code === code);
    if (!hint || sending) return;
    setSending(true);
    setTold("");
    setTrouble(null);
    try {
      await whisperHint(callId, hint.code);
      setCode("");
      setTold(`Whispered: ${hint.label}. The assistant takes it up at its next turn, if it still fits.`);
    } catch (error) {
      setTrouble(refusalWords(error));
    } finally {
      setSending(false);
    }
  };

  return (
    <form onSubmit={(event) => void whisper(event)} className="grid gap-2">
      <label htmlFor={id} className="font-semibold">
        Hint to the assistant
      </label>
      <div className="flex flex-wrap gap-3">
        <select
          id={id}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          className={`${FIELD} sm:max-w-md`}
        >
          <option value="">Choose what it is to ask or say</option>
          {hints.map((hint) => (
            <option key={hint.code} value={hint.code}>
              {hint.label}
            </option>
          ))}
        </select>
        <button type="submit" className={PLAIN} aria-disabled={code === "" || sending}>
          Whisper
        </button>
      </div>
      <p role="status" className="text-sm text-quiet empty:hidden">
        {told}
      </p>
      <Trouble words={trouble} className="empty:hidden" />
    </form>
  );
}
