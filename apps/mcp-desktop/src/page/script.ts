import { type Boxes, installBoxes } from "./boxes";
import { type Clipping, installClipping } from "./clip";
import { type Collecting, installCollecting } from "./collect";
import { type Dom, installDom } from "./dom";
import { type Editing, installEditing } from "./edit";
import { type Describing, installFacts } from "./facts";
import { type Fields, installFields } from "./field";
import { type Finding, installFinding } from "./find";
import { type Gestures, installGestures } from "./gesture";
import { installLines, type Lines } from "./lines";
import { installMatching, type Matching } from "./match";
import { installMaths, type Maths } from "./maths";
import { installNames, type Names } from "./names";
import { installPlaces, type Places } from "./place";
import { installPoints, type Points } from "./points";
import { installReceiving, type Receiving } from "./received";
import { installSnapshot, type Snapshots } from "./snapshot";
import { installStates, type States } from "./states";
import { installTargets, type Targets } from "./target";
import { installTransforms, type Transforms } from "./transform";
import { installValues, type Values } from "./values";

/** The functions that run inside a document, in a JavaScript world of its own that the page cannot see or change. */
export interface InPage
  extends Describing,
    Dom,
    Boxes,
    Clipping,
    Maths,
    Transforms,
    Names,
    States,
    Values,
    Matching,
    Finding,
    Points,
    Places,
    Targets,
    Fields,
    Editing,
    Gestures,
    Receiving,
    Lines,
    Collecting,
    Snapshots {}

/**
 * The functions are sent to the page as text, so each must be self-contained: it takes the record, adds its part, and
 * uses nothing from outside but types.
 */
const parts: readonly ((page: InPage, prefix: string) => void)[] = [
  installFacts,
  installMaths,
  installDom,
  installBoxes,
  installTransforms,
  installClipping,
  installNames,
  installStates,
  installValues,
  installMatching,
  installFinding,
  installPoints,
  installPlaces,
  installTargets,
  installFields,
  installEditing,
  installGestures,
  installReceiving,
  installLines,
  installCollecting,
  installSnapshot,
];

/** The name of the world. */
export const world = "grove";
/** The function that a document calls in that world to report its milestones. */
export const binding = "groveArrived";

/** Makes a document report its facts with each of its own events, before it draws that state. */
export const arrivalScript = `(() => {
  if (self !== top) return;
  const __name = (f) => f; const page = {}; (${installFacts})(page);
  const tell = (milestone) => ${binding}(JSON.stringify({ milestone, facts: page.facts() }));
  addEventListener("DOMContentLoaded", () => {
    tell("DOMContentLoaded");
    // Added now, it comes after the page's own.
    addEventListener("load", () => tell("load"), { once: true });
  }, { once: true });
})()`;

/** Where the record is kept in its world. */
const place = "globalThis.__groveInPage";
/** Thrown by a call in a world that does not hold the record it is meant for. */
export const elsewhere = "The record is in another world";

/**
 * The script that prepares a document.
 * @param prefix begins the refs that it issues, so that no ref of another document is mistaken for its own
 */
export const pageScript = (prefix: string): string =>
  // Some bundlers wrap functions in a helper that preserves their names.
  `(() => { const __name = (f) => f; const prefix = ${JSON.stringify(prefix)}; const page = {}; for (const part of [${parts.join(",")}]) part(page, prefix); ${place} = { prefix, page }; })()`;

/**
 * The declaration, for Runtime.callFunctionOn, that calls one of the record's functions. Its first argument is the
 * prefix of the document that the caller means: a world of the next document may have the number of the previous one's.
 */
export const callInPage = (name: keyof InPage): string =>
  `function (prefix, ...args) { const kept = ${place}; if (kept?.prefix !== prefix) throw ${JSON.stringify(elsewhere)}; return kept.page.${name}(...args); }`;
