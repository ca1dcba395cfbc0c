const refs = new WeakMap<Element, string>();
const elements = new Map<string, WeakRef<Element>>();
/** Elements that keep their refs outside of the document. */
const keptElements = new Set<Element>();
let lastRef = 0;
let prefix = "";

/** @param documentPrefix begins the refs that are issued from now on */
export const setPrefix = (documentPrefix: string): void => {
  prefix = documentPrefix;
};

export const refOf = (element: Element): string => {
  const existingRef = refs.get(element);
  if (existingRef !== undefined) return existingRef;
  const ref = `${prefix}e${++lastRef}`;
  refs.set(element, ref);
  elements.set(ref, new WeakRef(element));
  // Now and then, forget elements that the page has removed.
  if (elements.size % 5_000 === 0)
    for (const [old, held] of elements) if (!held.deref()?.isConnected) elements.delete(old);
  return ref;
};

/** The elements of a frame stay connected to its document when the frame loads another one. */
const isShownByWindow = (element: Element): boolean =>
  element.isConnected && element.ownerDocument.defaultView !== null;

/** Undefined if this document never issued the ref, or its element no longer exists. */
export const byRef = (ref: string): Element | undefined => {
  const element = elements.get(ref)?.deref();
  return element && (isShownByWindow(element) || keptElements.has(element)) ? element : undefined;
};

/** Keeps an element's ref even if it is not in the document. */
export const keepRef = (element: Element): void => {
  keptElements.add(element);
};

/** Whether a document of this app may have issued the ref earlier. */
export const wasRef = (ref: string): boolean => {
  const [, document, number] = /^(\d*)e(\d+)$/.exec(ref) ?? [];
  return number !== undefined && (document !== prefix || Number(number) <= lastRef);
};
