import type { Protocol } from "devtools-protocol";
import { ProtocolError } from "./errors";
import type { Frame } from "./frame";

/** Larger documents are not searched: describing each of their nodes would take seconds. */
const MAX_ELEMENTS = 20_000;
const MAX_ROOTS = 200;

/** The closed roots that a document already contains, by their ids in the protocol. */
const shadowHostsByFrame = new WeakMap<
  Frame,
  { readonly prefix: string | undefined; readonly ids: Set<number> }
>();

/**
 * Makes a document's closed shadow roots known to the page's functions. No script finds them, but the protocol does.
 * @returns how many were new
 */
export async function openClosedRoots(frame: Frame, signal: AbortSignal): Promise<number> {
  const objectId = await frame.root(MAX_ELEMENTS, signal);
  if (objectId === undefined) return 0;
  const node = await frame.describe(objectId, signal);
  const before = shadowHostsByFrame.get(frame);
  const opened =
    before?.prefix === frame.prefix && before ? before : { prefix: frame.prefix, ids: new Set<number>() };
  shadowHostsByFrame.set(frame, opened);
  let count = 0;
  for (const backendNodeId of closedIn(node)) {
    if (opened.ids.has(backendNodeId) || opened.ids.size >= MAX_ROOTS) continue;
    opened.ids.add(backendNodeId);
    if (await open(frame, backendNodeId, signal)) count++;
  }
  return count;
}

async function open(frame: Frame, backendNodeId: number, signal: AbortSignal): Promise<boolean> {
  try {
    const objectId = await frame.adopt(backendNodeId, signal);
    return objectId !== undefined && (await frame.call("openRoot", [{ objectId }], signal));
  } catch (error) {
    // The element is in a frame of another origin, or no longer exists.
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

function* closedIn(node: Protocol.DOM.Node): Generator<number> {
  for (const root of node.shadowRoots ?? []) {
    if (root.shadowRootType === "closed") yield root.backendNodeId;
    yield* closedIn(root);
  }
  for (const child of node.children ?? []) yield* closedIn(child);
  if (node.contentDocument) yield* closedIn(node.contentDocument);
}
