/**
 * Replaces, in the build, the parts of the viewer library that are never used: other highlighters, their themes, and
 * WASM.
 */
export default {};
export const LiveTokenizer = undefined;
export const codeToTokens = undefined;
export const isSupportedLanguage = undefined;
export const createOnigurumaEngine = undefined;
export const themes = undefined;
