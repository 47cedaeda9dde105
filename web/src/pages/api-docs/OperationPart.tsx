/** One path by one method: a line, which opens. */
import { useEffect, useState } from "react";
import { Pill } from "../../ui/Pill.tsx";
import { type Description, exampleOf, type Operation, succeeds } from "./description.ts";
import { Fields, SchemaFields } from "./SchemaFields.tsx";
import { Words } from "./Words.tsx";

interface OperationPartProps {
  description: Description;
  operation: Operation;
  /** The address names it. */
  named: boolean;
}

export function OperationPart({ description, operation, named }: OperationPartProps) {
  const [open, setOpen] = useState(named);
  useEffect(() => {
    if (named) setOpen(true);
  }, [named]);
  const { id, method, path, does, offered } = operation;
  return (
    <details
      id={id}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="scroll-mt-20 border-t border-line"
    >
      <summary className="grid cursor-pointer list-none gap-x-4 gap-y-1 py-3 hover:bg-raised sm:grid-cols-[4.5rem_minmax(0,1fr)] sm:px-2">
        <span className="font-bold">{method}</span>
        <span className="grid gap-1">
          <code className="font-semibold wrap-anywhere">{path}</code>
          <span className="text-quiet">
            <Words words={does} />
          </span>
          {!offered && (
            <span>
              <Pill>Not offered</Pill>
            </span>
          )}
        </span>
      </summary>
      {open && <Inside description={description} operation={operation} />}
    </details>
  );
}

function Inside({ description, operation }: Omit<OperationPartProps, "named">) {
  const { id, rest, key, parameters, body, answers } = operation;
  return (
    <div className="grid gap-y-6 pt-1 pb-8 sm:pr-2 sm:pl-[6rem]">
      {rest !== "" && (
        <p className="max-w-[68ch]">
          <Words words={rest} />
        </p>
      )}
      <p>
        <span className="font-bold">Key:</span> {key}.{" "}
        <a href={`#${id}`} className="font-semibold text-link underline underline-offset-4">
          Link to this
        </a>
      </p>
      {parameters.length > 0 && (
        <Part heading="In the address">
          <Fields description={description} fields={parameters} />
        </Part>
      )}
      {body && (
        <Part heading={`Sent, as ${body.kind}`}>
          <SchemaFields description={description} schema={body.schema} />
        </Part>
      )}
      <Part heading="Try it">
        <Code text={commandOf(description, operation)} />
      </Part>
      <Part heading="Answers">
        <ul className="grid gap-y-4">
          {answers.map(({ status, words, kind, schema }) => (
            <li key={status}>
              <p>
                <span className="font-bold tabular-nums">{status}</span> <Words words={words} />
                {succeeds(status) && kind && <span className="text-quiet"> {kind}</span>}
              </p>
              {succeeds(status) && schema && (
                <>
                  <SchemaFields description={description} schema={schema} />
                  {kind === "application/json" && (
                    <Code text={JSON.stringify(exampleOf(description, schema), null, 2)} />
                  )}
                </>
              )}
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Part({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 font-bold">{heading}</h3>
      {children}
    </div>
  );
}

function Code({ text }: { text: string }) {
  return (
    <pre className="mt-2 rounded-control bg-raised px-4 py-3 text-sm whitespace-pre-wrap wrap-anywhere">
      <code>{text}</code>
    </pre>
  );
}

/** A command that asks this. */
function commandOf(description: Description, { method, path, key, body }: Operation): string {
  const lines = [`curl${method === "GET" ? "" : ` -X ${method}`} ${window.location.origin}${path}`];
  if (key.includes("operator")) lines.push("-H 'Authorization: Bearer OPERATOR_KEY'");
  else if (key.includes("private")) lines.push("-H 'Authorization: Bearer KEY'");
  else if (key.includes("session")) lines.push("-H 'Cookie: nightlight-desk=SESSION'");
  else if (key.includes("secret")) lines.push("-H 'X-Vapi-Secret: SECRET'");
  if (body?.kind === "multipart/form-data") lines.push("-F file=@FILE");
  else if (body) {
    lines.push(`-H 'Content-Type: ${body.kind}'`);
    const sent = body.kind === "application/json" ? exampleOf(description, body.schema) : "…";
    lines.push(`-d '${typeof sent === "string" ? sent : JSON.stringify(sent, null, 2)}'`);
  }
  return lines.join(" \\\n  ");
}
