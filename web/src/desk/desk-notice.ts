/** The system's own notice, for a page that is not in view. It says what there is and for which agency, and nothing else. */

/** Asks, if nobody was asked before; only in a press. */
export async function askForNotices(): Promise<void> {
  if (typeof Notification === "undefined" || Notification.permission !== "default") return;
  await Notification.requestPermission().catch(() => {});
}

/** Of several with the same tag the last is shown. Returns what takes it away. */
export function showNotice(tag: string, title: string, options: NotificationOptions = {}): () => void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return () => {};
  try {
    const notice = new Notification(title, { tag, ...options });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return () => notice.close();
  } catch {
    // Phones show them only from a worker: there the page sounds, and nothing more.
    return () => {};
  }
}

/** Stays until the call rings no more. */
export function showRingNotice(callId: string, agency: string): () => void {
  return showNotice(callId, `A call is ringing for ${agency}`, { requireInteraction: true });
}
