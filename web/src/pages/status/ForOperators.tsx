/** What whoever has no right to see the status is told: two ways to it. */
import { type FormEvent, useId, useState } from "react";

interface ForOperatorsProps {
  /** Whether the server has an operator key at all. */
  keyIsSet: boolean;
  /** A key was given, and is not the one. */
  wrong: boolean;
  onKey: (key: string) => void;
}

export function ForOperators({ keyIsSet, wrong, onKey }: ForOperatorsProps) {
  const field = useId();
  const [key, setKey] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim()) onKey(key.trim());
  };
  return (
    <section aria-labelledby="for-operators" className="mt-8 max-w-[68ch]">
      <h2 id="for-operators" className="font-serif text-title font-medium">
        This page is for operators
      </h2>
      <p className="mt-3 text-quiet">
        If you came here for help, ring one of the numbers above. If you run this line, there are two ways in.
      </p>
      <h3 className="mt-8 font-bold">From the machine itself</h3>
      <p className="mt-1">
        Open it there by localhost, or lead the port to your own machine and open{" "}
        <code>http://localhost:8080/status</code>:
      </p>
      <p className="mt-2 overflow-x-auto rounded-control bg-raised px-4 py-3">
        <code>ssh -L 8080:127.0.0.1:8080 your-server</code>
      </p>
      <h3 className="mt-8 font-bold">With the operator key</h3>
      {keyIsSet ? (
        <form onSubmit={send} className="mt-1">
          <label htmlFor={field}>The server’s operator_key. It is kept until this page is closed.</label>
          <div className="mt-2 flex flex-wrap gap-3">
            <input
              id={field}
              type="password"
              autoComplete="off"
              value={key}
              onChange={(event) => setKey(event.target.value)}
              aria-invalid={wrong || undefined}
              aria-describedby={wrong ? `${field}-wrong` : undefined}
              className="min-h-12 min-w-0 grow rounded-control border border-line-strong bg-surface px-4"
            />
            <button type="submit" className="outline-button">
              Show the status
            </button>
          </div>
          <p id={`${field}-wrong`} role="status" className="mt-2 min-h-6 text-urgent">
            {wrong && "This is not the key that is set on this server."}
          </p>
        </form>
      ) : (
        <p className="mt-1">
          None is set on this server. Make one with <code>openssl rand -hex 24</code>, set it as{" "}
          <code>operator_key</code>, and start the server again.
        </p>
      )}
    </section>
  );
}
