/** The paths by their resource, and the search for one. What is looked for stands in the address; so does the path that is open. */
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { type Description, found, resourcesOf } from "./description.ts";
import { OperationPart } from "./OperationPart.tsx";

const WORDS = "q";
const NOT_OFFERED = "not-offered";

export function ReadableDescription({ description }: { description: Description }) {
  const [search, setSearch] = useSearchParams();
  const { hash } = useLocation();
  const resources = useMemo(() => resourcesOf(description), [description]);
  // The field has its own words: the address follows behind whoever types fast.
  const [words, setWords] = useState(() => search.get(WORDS) ?? "");
  const named = hash.slice(1);
  // A link to what is not offered shows it.
  const isNamedAndNotOffered = resources.some(({ operations }) =>
    operations.some(({ id, offered }) => id === named && !offered),
  );
  const alsoNotOffered = search.has(NOT_OFFERED) || isNamedAndNotOffered;
  const looked = useDeferredValue(words);
  const shown = useMemo(() => found(resources, looked, alsoNotOffered), [resources, looked, alsoNotOffered]);
  const count = shown.reduce((sum, { operations }) => sum + operations.length, 0);

  // The browser looked for it before it was there.
  useEffect(() => {
    if (named) document.getElementById(named)?.scrollIntoView({ block: "start" });
  }, [named]);

  const set = (name: string, value: string | null) =>
    setSearch(
      (now) => {
        if (value === null) now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <>
      <p className="mt-4 max-w-[68ch] text-lg text-quiet">
        {description.info.description} Version {description.info.version}. For programs:{" "}
        <a className="font-semibold text-link underline underline-offset-4" href="/openapi.json">
          openapi.json
        </a>
        .
      </p>
      <search className="mt-8 flex flex-wrap items-end gap-x-8 gap-y-4">
        <label className="grid min-w-0 grow gap-1 font-semibold sm:max-w-xl">
          Find a path
          <input
            type="search"
            value={words}
            onChange={({ target }) => {
              setWords(target.value);
              set(WORDS, target.value || null);
            }}
            placeholder="chat, POST, webhook…"
            autoComplete="off"
            spellCheck={false}
            className="min-h-12 w-full rounded-control border-2 border-line-strong bg-surface px-4 font-normal text-ink placeholder:text-quiet"
          />
        </label>
        <label className="flex min-h-12 items-center gap-3">
          <input
            type="checkbox"
            checked={alsoNotOffered}
            onChange={({ target }) => set(NOT_OFFERED, target.checked ? "" : null)}
            className="size-5"
          />
          Also what the platform has and this server does not offer
        </label>
      </search>
      <p role="status" className="mt-4 text-sm text-quiet tabular-nums">
        {count === 0 ? "No path has all of these words." : count === 1 ? "One path" : `${count} paths`}
      </p>
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <nav
          aria-label="Resources"
          className="lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto"
        >
          <ul className="flex flex-wrap gap-x-5 lg:block">
            {shown.map(({ id, name, operations }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline lg:min-h-9"
                >
                  {name} <span className="text-sm text-quiet tabular-nums">{operations.length}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid gap-y-12">
          {shown.map(({ id, name, operations }) => (
            <section key={id} id={id} aria-labelledby={`${id}-heading`} className="scroll-mt-20">
              <h2 id={`${id}-heading`} className="font-serif text-title font-medium">
                {name}
              </h2>
              <div className="mt-3 border-b border-line">
                {operations.map((operation) => (
                  <OperationPart
                    key={operation.id}
                    description={description}
                    operation={operation}
                    named={operation.id === named}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
