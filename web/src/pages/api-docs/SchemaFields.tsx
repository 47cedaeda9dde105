/** The fields of what is sent or answered. What is in a field opens in its place, because one shape may hold itself. */
import { useState } from "react";
import { type Description, type Field, fieldsOf, type Schema, typeOf } from "./description.ts";
import { Words } from "./Words.tsx";

export function SchemaFields({ description, schema }: { description: Description; schema: Schema }) {
  const fields = fieldsOf(description, schema);
  const isList = typeOf(description, schema).startsWith("list of");
  if (fields.length === 0) return <p className="text-quiet">{typeOf(description, schema)}</p>;
  return (
    <>
      {isList && <p className="text-quiet">A list; each has:</p>}
      <Fields description={description} fields={fields} />
    </>
  );
}

export function Fields({ description, fields }: { description: Description; fields: readonly Field[] }) {
  return (
    <dl className="mt-1 border-b border-line">
      {fields.map((field) => (
        <div key={`${field.where} ${field.name}`} className="border-t border-line py-2">
          <dt className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-semibold wrap-anywhere">{field.name}</code>
            <span className="text-sm wrap-anywhere text-quiet">
              {[field.where, field.type, field.required && "required"].filter(Boolean).join(", ")}
            </span>
          </dt>
          {field.words !== "" && (
            <dd className="max-w-[68ch]">
              <Words words={field.words} />
            </dd>
          )}
          {field.inside && (
            <dd>
              <Inside description={description} name={field.name} schema={field.inside} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Inside({ description, name, schema }: { description: Description; name: string; schema: Schema }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="mt-1">
      <summary className="inline-flex min-h-9 cursor-pointer items-center font-semibold text-link underline underline-offset-4">
        What is in {name}
      </summary>
      {open && (
        <div className="border-l-2 border-line pl-4">
          <SchemaFields description={description} schema={schema} />
        </div>
      )}
    </details>
  );
}
