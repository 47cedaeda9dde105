/** An invitation's token stands in the page's fragment, which no server and no log is sent. */

const TOKEN = /^#([0-9a-f]{64})$/i;

export function tokenIn(fragment: string): string | null {
  return TOKEN.exec(fragment)?.[1]?.toLowerCase() ?? null;
}

/** Takes it out of the address bar and out of the history, before anybody looks over a shoulder. */
export function clearToken(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search);
}

export function invitationLink(token: string): string {
  return `${window.location.origin}/desk#${token}`;
}
