/** What a supervisor whispers to the assistant while it has the caller: one of a closed list, said in its own words. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { NodeName } from "../../desk/contract.ts";
import { fetchHints, whisper } from "../../desk/desk-api.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { Button } from "../../ui/Button.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { PLAIN } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

export function HintForm({ callId, node }: { callId: string; node: NodeName }) {
  const { data } = useQuery({
    queryKey: ["hints"],
    queryFn: fetchHints,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [hint, setHint] = useState("");
  const whispering = useMutation({
    mutationFn: (code: string) => whisper(callId, code, node),
    onSuccess: () => setHint(""),
  });
  if (!data || data.hints.length === 0) return null;
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    if (hint && !whispering.isPending) whispering.mutate(hint);
  };
  return (
    <form onSubmit={submitted} aria-label="Hint" className="grid gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <div className="grow basis-72 sm:max-w-md">
          <ChoiceField
            label="Whisper to the assistant"
            required
            value={hint}
            onChange={({ target }) => setHint(target.value)}
            choices={[["", "Choose a hint"], ...data.hints.map(({ code, label }) => [code, label] as const)]}
          />
        </div>
        <Button type="submit" unavailable={whispering.isPending} className={PLAIN}>
          Whisper
        </Button>
      </div>
      <Trouble words={whispering.error ? refusalWords(whispering.error) : null} className="empty:hidden" />
      <p role="status" className="text-sm text-quiet empty:hidden">
        {whispering.isSuccess && hint === ""
          ? "The assistant takes it up after the caller’s next words, where it still fits."
          : ""}
      </p>
    </form>
  );
}
