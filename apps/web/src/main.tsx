import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
// The first import: it hides the secrets of links before anything else runs.
import "./lib/browser/takeHashSecret";
import "./lib/browser/disableZodEval";
import "./lib/browser/reloadIfOutdated";
import { Console } from "./app/console";
import "./styles/base.css";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
