/** What leaving this site does and does not do, at the foot of every page. */
export function SafetyNotice() {
  return (
    <section aria-labelledby="safety-heading" className="text-sm text-quiet">
      <h2 id="safety-heading" className="font-bold text-ink">
        If someone may look at this device
      </h2>
      <p className="mt-1 max-w-[70ch] text-balance">
        <strong className="font-semibold text-ink">Exit this page</strong>, or Shift pressed three times,
        leaves at once and clears what this site stored in the browser. It cannot erase the browser’s history:
        use a private window, or a device that nobody else opens.
      </p>
    </section>
  );
}
