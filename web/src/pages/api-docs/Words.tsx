/** Words of the description, with what stands between backticks as code. */
export function Words({ words }: { words: string }) {
  const parts = words.split("`");
  return parts.map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the words do not change
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  );
}
