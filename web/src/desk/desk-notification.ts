/** The system's own notification, for a page that is not in view. It says what there is and for which agency, and nothing else. */

/** Asks, if nobody was asked before; only in a press. */
export async function askForNotifications(): Promise<void> {
  if (typeof Notification === "undefined" || Notification.permission !== "default") return;
  await Notification.requestPermission().catch(() => {});
}

/** Of several with the same tag the last is shown. Returns what takes it away. */
export function showNotification(tag: string, title: string, options: NotificationOptions = {}): () => void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return () => {};
  try {
    const notification = new Notification(title, { tag, ...options });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return () => notification.close();
  } catch {
    // Phones show them only from a worker: there the page sounds, and nothing more.
    return () => {};
  }
}

/** Stays until the call rings no more. */
export function showRingNotification(callId: string, agency: string): () => void {
  return showNotification(callId, `A call is ringing for ${agency}`, { requireInteraction: true });
}
