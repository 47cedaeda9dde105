/** Entry of the web app: fonts, styles, routes. */
import "@fontsource-variable/atkinson-hyperlegible-next/wght.css";
import "@fontsource-variable/fraunces/opsz.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { watchFaults } from "./faults/watch-faults.ts";
import { SiteRoutes } from "./routes.tsx";

watchFaults();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");

const site = (
  <StrictMode>
    <BrowserRouter>
      <SiteRoutes />
    </BrowserRouter>
  </StrictMode>
);

// The built pages are already there; the development server's is empty.
if (import.meta.env.DEV) createRoot(root).render(site);
else hydrateRoot(root, site);
