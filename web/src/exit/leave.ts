/**
 * Leaves the site for a neutral page: blanks this one first, clears what the site stored in the browser,
 * has the server forget the visitor, and goes in such a way that Back does not lead to this page. The
 * browser's own history cannot be erased from here.
 */
import { fallSilent, left } from "../call/leaving.ts";
import { links } from "../paths.ts";

/** Hides everything else under `<html>`; see base.css. */
const LEAVING = "leaving";

export function leave(): void {
  fallSilent();
  blank();
  forget();
  // What is still running must not write again before the page is gone.
  window.addEventListener("pagehide", clearStorage);
  window.location.replace(links.neutral);
}

/** In case the browser brings the page back from its memory, blank and silent, instead of loading it. */
export function loadWhenShownAgain(): () => void {
  const shown = (event: PageTransitionEvent) => {
    if (event.persisted && left.aborted) window.location.reload();
  };
  window.addEventListener("pageshow", shown);
  return () => window.removeEventListener("pageshow", shown);
}

function blank(): void {
  document.documentElement.classList.add(LEAVING);
  document.title = "Loading";
  const sheet = document.createElement("div");
  sheet.className = `${LEAVING}-sheet`;
  sheet.setAttribute("role", "alert");
  sheet.textContent = "Leaving this page";
  document.body.append(sheet);
}

function forget(): void {
  clearStorage();
  // The session's cookie is out of a script's reach. The request outlives this page.
  void fetch("/api/session", { method: "DELETE", keepalive: true }).catch(() => undefined);
}

function clearStorage(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Forbidden storage holds nothing of ours.
  }
}
