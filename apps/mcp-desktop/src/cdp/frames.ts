import type { Protocol } from "devtools-protocol";
import { limit } from "../limit";
import type { Connection, Session } from "./connection";
import { DocumentGone } from "./errors";
import { type DocumentNumbers, Frame } from "./frame";
import { windowClosed } from "./gone";

/** A frame that does not answer is left out after this time, so that it cannot keep the others from being used. */
const PATIENCE_MS = 1_000;

/** The frames of a window, in whatever process they are. */
export class Frames {
  readonly top: Frame;
  readonly #all = new Map<string, Frame>();

  /** @param enter makes a session tell of its events, and of the frames that it has already */
  constructor(
    private readonly connection: Connection,
    session: Session,
    topId: string,
    private readonly numbers: DocumentNumbers,
    private readonly enter: (session: Session, add: (frame: Protocol.Page.Frame) => void) => void,
  ) {
    this.top = new Frame(session, topId, undefined, numbers);
    this.#all.set(topId, this.top);
    this.#watch(this.top);
  }

  /** The top frame, and all that scripts in the frame around them cannot look into: those of other origins. */
  async separate(signal: AbortSignal): Promise<readonly Frame[]> {
    if (this.#all.size === 1) return [this.top];
    const patience = limit(PATIENCE_MS, signal);
    const frames = [...this.#all.values()];
    const separate = await Promise.all(frames.map((frame) => frame.isSeparate(patience).catch(() => false)));
    signal.throwIfAborted();
    return frames.filter((frame, index) => frame === this.top || separate[index]);
  }

  /** The frame whose document gave out a ref. */
  of(ref: string): Frame | undefined {
    const prefix = /^(\d*)e\d+$/.exec(ref)?.[1];
    return [...this.#all.values()].find((frame) => frame.prefix === prefix);
  }

  /**
   * Where a frame's document begins in the window, once it is scrolled into view, and what covers it.
   * @throws DocumentGone when the frame is no more
   */
  async place(frame: Frame, signal: AbortSignal): Promise<{ x: number; y: number; coveredBy?: string }> {
    if (!frame.parent) return { x: 0, y: 0 };
    // The document that can measure it: the next one outside that is not itself open to the one around it.
    let outside: Frame = frame.parent;
    while (outside.parent && !(await outside.isSeparate(signal))) outside = outside.parent;
    const { session } = frame.parent;
    const { backendNodeId } = await session.send("DOM.getFrameOwner", { frameId: frame.id }, signal);
    const objectId = await outside.adopt(backendNodeId, signal);
    if (objectId === undefined) throw new DocumentGone();
    const box = await outside.call("frameBox", [{ objectId }], signal);
    const outer = await this.place(outside, signal);
    const coveredBy = box.coveredBy ?? outer.coveredBy;
    return { x: outer.x + box.x, y: outer.y + box.y, ...(coveredBy !== undefined && { coveredBy }) };
  }

  #watch(root: Frame): void {
    const { session } = root;
    const add = (id: string, parentId: string | undefined) => {
      const known = this.#all.get(id);
      if (parentId === undefined || known?.session === session) return;
      this.#all.set(id, new Frame(session, id, this.#all.get(parentId) ?? root, this.numbers));
    };
    session.on("Page.frameAttached", ({ frameId, parentFrameId }) => add(frameId, parentFrameId));
    session.on("Page.frameNavigated", ({ frame }) => add(frame.id, frame.parentId));
    this.enter(session, ({ id, parentId }) => add(id, parentId));
    session.on("Page.frameDetached", ({ frameId, reason }) => {
      // One that is swapped goes on in another process, with a session of its own.
      if (reason !== "swap" || this.#all.get(frameId)?.session === session) this.#all.delete(frameId);
    });
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo: { targetId, parentFrameId } }) => {
      const parent = this.#all.get(parentFrameId ?? "") ?? root;
      const frame = new Frame(this.connection.session(sessionId), targetId, parent, this.numbers);
      this.#all.set(targetId, frame);
      this.#watch(frame);
    });
    session.on("Target.detachedFromTarget", ({ sessionId }) => {
      for (const [id, frame] of this.#all) if (frame.session.id === sessionId) this.#all.delete(id);
      this.connection.end(sessionId, windowClosed("The frame"));
    });
  }
}
