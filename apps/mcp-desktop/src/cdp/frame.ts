import { isTimeLimit, timeoutSignal, untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import { sessionLifetime } from "../browser/sessionLifetime";
import type { PageFunctions } from "../page/entry";
import { isolatedWorld } from "../page/isolatedWorld";
import { callInPage, pageScript, WRONG_WORLD } from "../page/script";
import { DocumentGone, FrameSilent, isDocumentGoneError } from "./errors";
import type { Session } from "./session";
import { isWindowClosedError } from "./windowErrors";

/** Arguments as values, or as objects of the protocol. */
type Sent<Args extends readonly unknown[]> = { readonly [I in keyof Args]: Args[I] | { objectId: string } };
type Called<K extends keyof PageFunctions> = Awaited<ReturnType<PageFunctions[K]>>;

/** Numbers documents, for the prefixes of their refs; the first document has an empty prefix. */
export class DocumentNumbers {
  #lastNumber = 0;
  next(): string {
    return ++this.#lastNumber === 1 ? "" : String(this.#lastNumber);
  }
}

/** Timeout for installing the page's functions in a document; calls that wait for it have timeouts of their own. */
const INSTALL_MS = 60_000;
/** Timeout for a frame within a page, which must not block the rest of the page for longer. */
const TIMEOUT_MS = 3_000;

interface World {
  readonly contextId: number;
  readonly prefix: string;
  readonly isSeparate: Promise<boolean>;
}

/** A frame of a window. It may be in its own process, since Chromium isolates sites. */
export class Frame {
  /** Shared by concurrent calls. */
  #pendingWorld: Promise<World> | undefined;
  #world: World | undefined;
  #isSilent = false;
  readonly session: Session;
  readonly id: string;
  readonly parent: Frame | undefined;
  readonly #numbers: DocumentNumbers;

  constructor(session: Session, id: string, parent: Frame | undefined, numbers: DocumentNumbers) {
    this.session = session;
    this.id = id;
    this.parent = parent;
    this.#numbers = numbers;
    session.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
      if (this.#world?.contextId === executionContextId) this.#forget();
    });
    session.on("Runtime.executionContextsCleared", () => this.#forget());
  }

  /** The prefix of the current document's refs. */
  get prefix(): string | undefined {
    return this.#world?.prefix;
  }

  /** Whether the frame failed to answer, and has not answered since. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /**
   * Whether the frame is closed to the scripts of its parent frame, because it has another origin.
   * @throws {DocumentGone} or FrameSilent, as {@link call}
   */
  isSeparate(signal: AbortSignal): Promise<boolean> {
    return this.#withTimeout(signal, async (timeout) =>
      untilAborted((await this.#createWorld(timeout)).isSeparate, timeout),
    );
  }

  /** Starts to install the page's functions in the document, ahead of a call. */
  prepare(): void {
    this.#createWorld(timeoutSignal(INSTALL_MS)).catch(() => undefined);
  }

  /**
   * @throws {DocumentGone} when the frame has navigated in the meantime
   * @throws {FrameSilent} when it does not answer
   */
  async call<K extends keyof PageFunctions>(
    name: K,
    args: Sent<Parameters<PageFunctions[K]>>,
    signal: AbortSignal,
  ): Promise<Called<K>> {
    const result = await this.#call(name, args, true, signal);
    return result.value as Called<K>;
  }

  /** Returns the `objectId` of a ref's element in the DevTools protocol. */
  async elementOf(ref: string, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#call("element", [ref], false, signal)).objectId;
  }

  /** The document's root, as an object id of the protocol; undefined if it has more elements than that. */
  async root(maxElements: number, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#call("root", [maxElements], false, signal)).objectId;
  }

  /**
   * Describes a node of the frame and all nodes within it, including those in closed shadow roots.
   * @throws {DocumentGone} or FrameSilent, as {@link call}
   */
  describe(objectId: string, signal: AbortSignal): Promise<Protocol.DOM.Node> {
    return this.#withTimeout(signal, async (timeout) => {
      const params = { objectId, depth: -1, pierce: true };
      return (await this.session.send("DOM.describeNode", params, timeout)).node;
    });
  }

  /**
   * Brings a node, given by its id in the protocol, into the world that contains the page's functions.
   * @throws {DocumentGone} or FrameSilent, as {@link call}
   */
  adopt(backendNodeId: number, signal: AbortSignal): Promise<string | undefined> {
    return this.#withTimeout(signal, async (timeout) => {
      const { contextId } = await this.#createWorld(timeout);
      const params = { backendNodeId, executionContextId: contextId };
      return (await this.session.send("DOM.resolveNode", params, timeout)).object.objectId;
    });
  }

  #call(name: keyof PageFunctions, args: readonly unknown[], returnByValue: boolean, signal: AbortSignal) {
    return this.#withTimeout(signal, async (timeout) => {
      const { contextId, prefix, isSeparate } = await this.#createWorld(timeout);
      const { result, exceptionDetails } = await this.session.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration: callInPage(name),
          executionContextId: contextId,
          arguments: [prefix, ...args].map((arg) => (isObject(arg) ? arg : { value: arg })),
          returnByValue,
          awaitPromise: true,
        },
        timeout,
      );
      if (!exceptionDetails) return result;
      if (exceptionDetails.exception?.value === WRONG_WORLD) throw new DocumentGone();
      await isSeparate.catch(() => {
        throw new DocumentGone();
      });
      throw new Error(`${name} failed in the page: ${textOf(exceptionDetails)}`);
    });
  }

  /** Queries the document, with a shorter timeout for a frame within the page. */
  async #withTimeout<T>(signal: AbortSignal, ask: (timeout: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = this.parent ? timeoutSignal(TIMEOUT_MS, signal) : signal;
    try {
      return await ask(timeout);
    } catch (error) {
      if (timeout !== signal && error === timeout.reason && isTimeLimit(timeout) && !signal.aborted)
        throw this.#markSilent();
      // A frame that moves to another process leaves its session behind.
      const isGone = error instanceof DocumentGone || isDocumentGoneError(error);
      if (!isGone && !(this.parent && isWindowClosedError(error))) throw error;
      this.#forget();
      throw new DocumentGone();
    }
  }

  #markSilent(): FrameSilent {
    if (!this.#isSilent) {
      this.#isSilent = true;
      const speak = () => {
        this.#isSilent = false;
      };
      this.session.send("Runtime.evaluate", { expression: "1" }, sessionLifetime).then(speak, speak);
    }
    return new FrameSilent();
  }

  #forget(): void {
    this.#world = undefined;
    this.#pendingWorld = undefined;
  }

  async #createWorld(signal: AbortSignal): Promise<World> {
    if (this.#world) return this.#world;
    this.#pendingWorld ??= this.#install(timeoutSignal(INSTALL_MS));
    const preparing = this.#pendingWorld;
    try {
      const world = await untilAborted(preparing, signal);
      if (this.#pendingWorld === preparing) this.#world = world;
      return world;
    } catch (error) {
      if (this.#pendingWorld === preparing) this.#pendingWorld = undefined;
      throw error;
    }
  }

  async #install(signal: AbortSignal): Promise<World> {
    const prefix = this.#numbers.next();
    // The isolated world shares the page's DOM but not its JavaScript, so the page cannot tamper with it.
    const { executionContextId: contextId } = await this.session.send(
      "Page.createIsolatedWorld",
      { frameId: this.id, worldName: isolatedWorld },
      signal,
    );
    const expression = `${pageScript(prefix)}; frameElement === null`;
    const isSeparate = this.session
      .send("Runtime.evaluate", { expression, contextId }, signal)
      .then(({ result, exceptionDetails }) => {
        if (exceptionDetails) throw new Error(`not prepared: ${textOf(exceptionDetails)}`);
        return result.value === true;
      });
    // Commands are answered in order, so later ones need not wait for this response.
    isSeparate.catch(() => {
      if (this.#world?.contextId === contextId) this.#forget();
    });
    return { contextId, prefix, isSeparate };
  }
}

const textOf = ({ exception, text }: Protocol.Runtime.ExceptionDetails): string =>
  exception?.description ?? text;

const isObject = (arg: unknown): arg is { objectId: string } =>
  typeof arg === "object" && arg !== null && "objectId" in arg;
