/** The microphone that was checked and chosen, remembered in this browser. */
const KEY = "microphone";

/** The chosen device's id; empty for the browser's own choice; null when none was ever checked. */
export function chosenMicrophone(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function chooseMicrophone(deviceId: string): void {
  try {
    localStorage.setItem(KEY, deviceId);
  } catch {
    // Forgotten with the page, then; the check can be made again.
  }
}
