/** The addresses outside the site: the built-in ones at once, then those of the server's configuration. */
import { useEffect, useState } from "react";
import { left } from "../call/leaving.ts";
import { links } from "../paths.ts";
import type { PageConfig } from "./contract.ts";

export function useSiteLinks(): { feedback: string; platform: string } {
  const [configured, setConfigured] = useState<Partial<PageConfig["links"]>>({});
  useEffect(() => {
    // Without `server.ts` and its errors, because there is nothing to tell: the built-in links hold.
    fetch("/api/config", { signal: left })
      .then((answer) => answer.json())
      .then((config: PageConfig) => setConfigured(config.links ?? {}))
      .catch(() => {});
  }, []);
  return { ...links, ...configured };
}
