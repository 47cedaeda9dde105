/** A text with one stretch of it marked: the words that a claim rests on. */
export function MarkedWords({ text, from, to }: { text: string; from: number; to: number }) {
  return (
    <>
      {text.slice(0, from)}
      <mark className="rounded-sm bg-lamp px-0.5 font-semibold text-on-lamp">{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}
