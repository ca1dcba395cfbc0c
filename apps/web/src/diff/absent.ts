/**
 * Stands in the build for parts of the viewer that are never used: other highlighters, their themes, WASM, and files
 * that are shown without a change.
 */
export default {};
export const LiveTokenizer = undefined;
export const codeToTokens = undefined;
export const isSupportedLanguage = undefined;
export const createOnigurumaEngine = undefined;
export const themes = undefined;
export class VirtualizedFile {}
