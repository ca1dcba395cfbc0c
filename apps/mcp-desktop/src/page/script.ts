import type { PageFunctions } from "./entry";
import start from "./entry?script";

/** The global that holds the page functions in their isolated world. */
const globalName = "globalThis.__groveInPage";
/** Thrown by a call in a world that does not hold the functions it is meant for. */
export const WRONG_WORLD = "The functions are in another world";

/** The script that prepares a document. `prefix` begins the refs that it issues. */
export const pageScript = (prefix: string): string => {
  const quoted = JSON.stringify(prefix);
  return `${globalName} = { prefix: ${quoted}, page: ${start}(${quoted}) }`;
};

/**
 * The declaration, for Runtime.callFunctionOn, that calls one of the functions. Its first argument is the prefix of the
 * document that the caller means: a world of the next document may have the number of the previous one's.
 */
export const callInPage = (name: keyof PageFunctions): string =>
  `function (prefix, ...args) { const kept = ${globalName}; if (kept?.prefix !== prefix) throw ${JSON.stringify(WRONG_WORLD)}; return kept.page.${name}(...args); }`;
