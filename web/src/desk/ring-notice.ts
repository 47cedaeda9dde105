/** The system's own notice that a call rings, for a page that is not in view. It says for which agency, and nothing else. */

/** Asks, if nobody was asked before; only in a press. */
export async function askForNotices(): Promise<void> {
  if (typeof Notification === "undefined" || Notification.permission !== "default") return;
  await Notification.requestPermission().catch(() => {});
}

/** Returns what takes it away. */
export function showRingNotice(callId: string, agency: string): () => void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return () => {};
  try {
    const notice = new Notification(`A call is ringing for ${agency}`, {
      tag: callId,
      requireInteraction: true,
    });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return () => notice.close();
  } catch {
    // Phones show them only from a worker: there the page rings, and nothing more.
    return () => {};
  }
}
