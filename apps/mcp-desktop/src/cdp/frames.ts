import { timeoutSignal, untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import { sessionLifetime } from "../browser/sessionLifetime";
import { apply, boxAround, compose, identity } from "../page/geometry/affine";
import type { Area } from "../page/geometry/clipping";
import type { FramePlace } from "../page/target/framePlace";
import type { Connection } from "./connection";
import { DocumentGone, isDocumentGoneError } from "./errors";
import { type DocumentNumbers, Frame } from "./frame";
import type { Session } from "./session";
import { windowClosed } from "./windowErrors";

/** Timeout, at the beginning, for the events of a frame in another process. */
const TIMEOUT_MS = 1_000;

/** The frames of a window, in whichever processes they are. */
export class Frames {
  readonly top: Frame;
  /** Resolves when the existing frames are known and all events of the window arrive here. */
  readonly ready: Promise<void>;
  readonly #framesById = new Map<string, Frame>();
  /** The outermost frame of each session. */
  readonly #roots = new WeakSet<Frame>();

  readonly #connection: Connection;
  readonly #numbers: DocumentNumbers;
  readonly #enter: (session: Session) => Promise<unknown>;

  /** @param enter enables the events of a session */
  constructor(
    connection: Connection,
    session: Session,
    topId: string,
    numbers: DocumentNumbers,
    enter: (session: Session) => Promise<unknown>,
  ) {
    this.#connection = connection;
    this.#numbers = numbers;
    this.#enter = enter;
    this.top = new Frame(session, topId, undefined, numbers);
    this.#framesById.set(topId, this.top);
    this.ready = this.#watch(this.top);
    this.ready.catch(() => undefined);
  }

  /**
   * The top frame, and all frames of other origins, which scripts in their parent frame cannot access. Frames that do
   * not answer are left out.
   */
  async separate(signal: AbortSignal): Promise<readonly Frame[]> {
    if (this.#framesById.size === 1) return [this.top];
    const frames = [...this.#framesById.values()].filter(({ isSilent }) => !isSilent);
    const separate = await Promise.all(frames.map((frame) => frame.isSeparate(signal).catch(() => false)));
    signal.throwIfAborted();
    return frames.filter((frame, index) => frame === this.top || separate[index]);
  }

  /** The sessions of the frames. */
  get sessions(): readonly Session[] {
    return [...new Set([...this.#framesById.values()].map(({ session }) => session))];
  }

  /** Returns the nearest frame whose scripts can access the given frame: the frame itself or an ancestor. */
  async holding(id: string, signal: AbortSignal): Promise<Frame> {
    let frame = this.#framesById.get(id) ?? this.top;
    while (frame.parent && !(await frame.isSeparate(signal))) frame = frame.parent;
    return frame;
  }

  /** The number of frames. */
  get count(): number {
    return this.#framesById.size;
  }

  /** The number of frames that do not answer. */
  get silent(): number {
    return [...this.#framesById.values()].filter(({ isSilent }) => isSilent).length;
  }

  /** The frame whose document issued a ref. */
  of(ref: string): Frame | undefined {
    const prefix = /^(\d*)e\d+$/.exec(ref)?.[1];
    return [...this.#framesById.values()].find((frame) => frame.prefix === prefix);
  }

  /**
   * The position of a frame in the window.
   * @param scrolls whether it is brought into view first
   * @param point the point of its document at which something may cover it; by default its middle
   * @throws {DocumentGone} when the frame no longer exists
   */
  async place(frame: Frame, scrolls: boolean, signal: AbortSignal, point?: Point): Promise<Place> {
    if (!frame.parent) return { map: identity(), isCertain: true };
    // The document that can measure it: the nearest outer one that its own parent cannot access.
    let outside: Frame = frame.parent;
    while (outside.parent && !(await outside.isSeparate(signal))) outside = outside.parent;
    const { session } = frame.parent;
    const { backendNodeId } = await session
      .send("DOM.getFrameOwner", { frameId: frame.id }, signal)
      .catch((error: unknown) => {
        throw isDocumentGoneError(error) ? new DocumentGone() : error;
      });
    const objectId = await outside.adopt(backendNodeId, signal);
    if (objectId === undefined) throw new DocumentGone();
    const box = await outside.call("frameBox", [{ objectId }, scrolls, point], signal);
    const outer = await this.place(outside, scrolls, signal, point && apply(box.map, point));
    return composePlaces(outer, box);
  }

  /** Resolves when all events of a session, and of the sessions within it, arrive here. */
  async #watch(root: Frame): Promise<void> {
    const { session } = root;
    this.#roots.add(root);
    const within: Promise<void>[] = [];
    let isReady = false;
    const add: Add = ({ id, parentId }) => {
      const frame = this.#framesById.get(id);
      // A session's information about a frame may be outdated once that frame has its own session.
      if (parentId === undefined || frame?.session === session || (frame && this.#roots.has(frame))) return;
      this.#framesById.set(id, new Frame(session, id, this.#framesById.get(parentId) ?? root, this.#numbers));
    };
    session.on("Page.frameAttached", ({ frameId, parentFrameId }) =>
      add({ id: frameId, parentId: parentFrameId }),
    );
    session.on("Page.frameNavigated", ({ frame, type }) => {
      add(frame);
      this.#leave(frame.id, session);
      if (type === "BackForwardCacheRestore") read(session, add).catch(() => undefined);
    });
    session.on("Page.frameDetached", ({ frameId, reason }) => {
      // A swapped frame continues in another process, with its own session.
      if (reason !== "swap" || this.#framesById.get(frameId)?.session === session)
        this.#framesById.delete(frameId);
    });
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo: { targetId, parentFrameId } }) => {
      const parent = this.#framesById.get(parentFrameId ?? "") ?? root;
      const frame = new Frame(this.#connection.session(sessionId), targetId, parent, this.#numbers);
      this.#framesById.set(targetId, frame);
      const watching = untilAborted(this.#watch(frame), timeoutSignal(TIMEOUT_MS)).catch(() => undefined);
      if (!isReady) within.push(watching);
    });
    session.on("Target.detachedFromTarget", ({ sessionId }) => {
      for (const [id, frame] of this.#framesById)
        if (frame.session.id === sessionId) this.#framesById.delete(id);
      this.#connection.end(sessionId, windowClosed("The frame"));
      // The frame may have returned to this process, and may have been announced before.
      read(session, add).catch(() => undefined);
    });
    await Promise.all([this.#enter(session), read(session, add)]);
    await Promise.all(within);
    isReady = true;
  }

  /** Forgets the frames of a frame's previous document, except those that have sessions of their own. */
  #leave(id: string, session: Session): void {
    const isWithin = ({ parent }: Frame): boolean =>
      parent !== undefined && (parent.id === id || isWithin(parent));
    for (const [inner, frame] of this.#framesById)
      if (frame.session === session && isWithin(frame)) this.#framesById.delete(inner);
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the window shows a frame's document. Without a `view`, all of the document is on screen. */
interface Place extends Pick<FramePlace, "map" | "isCertain" | "coveredBy"> {
  readonly view?: Area;
}

/** Composes a frame's transform in its outer document with the outer document's transform in the window. */
function composePlaces(outer: Place, box: FramePlace): Place {
  const { left, top, right, bottom } = box.view;
  const shown = boxAround(outer.map, { x: left, y: top, width: right - left, height: bottom - top });
  const view = {
    left: Math.max(shown.x, outer.view?.left ?? Number.NEGATIVE_INFINITY),
    top: Math.max(shown.y, outer.view?.top ?? Number.NEGATIVE_INFINITY),
    right: Math.min(shown.x + shown.width, outer.view?.right ?? Number.POSITIVE_INFINITY),
    bottom: Math.min(shown.y + shown.height, outer.view?.bottom ?? Number.POSITIVE_INFINITY),
  };
  return {
    map: compose(outer.map, box.map),
    isCertain: outer.isCertain && box.isCertain,
    view,
    coveredBy: box.coveredBy ?? outer.coveredBy,
  };
}

type Add = (frame: Pick<Protocol.Page.Frame, "id" | "parentId">) => void;

/** Adds a session's current frames. */
async function read(session: Session, add: Add): Promise<void> {
  const addAll = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): void => {
    add(frame);
    for (const child of childFrames) addAll(child);
  };
  addAll((await session.send("Page.getFrameTree", undefined, sessionLifetime)).frameTree);
}
