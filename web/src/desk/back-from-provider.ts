/** How it went at the identity provider, as the server tells it in the page's address. */

const WORDS: Readonly<Record<string, string>> = {
  refused:
    "You were not let in. Your account here may have another sign-in name, or may be closed: ask an administrator of the desk.",
  unreachable:
    "The service that you sign in by does not answer. Try again in a moment, or use your password and code.",
  "too-often": "Too many tries in a short time. Try again in a minute.",
  again: "That took too long, or began in another window. Try again.",
};

/** What is to be said to who is back, if anything went wrong. */
export function backFromProvider(search: string): string | null {
  const why = new URLSearchParams(search).get("provider");
  return why === null ? null : (WORDS[why] ?? null);
}

/** Takes it out of the address: a page that is loaded again begins anew. */
export function clearProvider(): void {
  const { pathname, hash } = window.location;
  window.history.replaceState(window.history.state, "", pathname + hash);
}
