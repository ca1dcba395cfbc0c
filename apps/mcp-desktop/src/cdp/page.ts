import { untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import { sessionLifetime } from "../browser/sessionLifetime";
import type { Connection } from "./connection";
import { ConsoleLog } from "./consoleLog";
import { Dialogs } from "./dialogs";
import { ExternalRequests } from "./externalRequests";
import type { DocumentNumbers, Frame } from "./frame";
import { Frames } from "./frames";
import { LoadMilestones } from "./loadMilestones";
import { Navigation } from "./navigation";
import type { Session } from "./session";
import { TopFrameUrl } from "./topFrameUrl";
import { pageCrashed } from "./windowErrors";

const onlyFrames: Protocol.Target.TargetFilter = [{ type: "iframe", exclude: false }, { exclude: true }];

/** A window (or webview) of the app that this server is attached to. */
export class Page {
  readonly console = new ConsoleLog();
  readonly dialogs: Dialogs;
  readonly navigation: Navigation;
  readonly frames: Frames;
  readonly topFrameUrl: TopFrameUrl;
  readonly loadMilestones: LoadMilestones;
  /** Notes for the next result. */
  readonly notes: string[] = [];
  /** Whether the page failed to answer a call in time, and has not answered since. */
  isSilent = false;
  /** Whether this server is attached. A window that waits for a dialog cannot be attached to. */
  isAttached = false;
  #isCrashed = false;
  #lastCall: Promise<unknown> = Promise.resolve();
  #emulatesFocus = false;
  readonly session: Session;
  readonly targetId: string;
  readonly windowId: string;

  constructor(
    connection: Connection,
    session: Session,
    targetId: string,
    windowId: string,
    numbers: DocumentNumbers,
    origins: readonly string[],
    opener?: Page,
  ) {
    this.session = session;
    this.targetId = targetId;
    this.windowId = windowId;
    const external = new ExternalRequests((note) => this.notes.push(note));
    this.frames = new Frames(connection, session, targetId, numbers, (entered) => {
      external.listen(entered);
      return enable(entered, this.console);
    });
    this.ready
      .then(() => {
        this.isAttached = true;
      })
      .catch(() => undefined);
    this.dialogs = new Dialogs(session, opener && { windowId, opener: opener.dialogs });
    this.navigation = new Navigation(session, targetId);
    this.topFrameUrl = new TopFrameUrl(session, targetId, origins);
    this.loadMilestones = new LoadMilestones(session, targetId);
    this.loadMilestones.listen().catch(() => undefined);
    session.on("Inspector.targetCrashed", () => {
      this.#isCrashed = true;
      connection.fail(session, pageCrashed(windowId));
    });
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) this.#isCrashed = false;
    });
  }

  /** Resolves when all events of the window arrive here. */
  get ready(): Promise<void> {
    return this.frames.ready;
  }

  get crashed(): boolean {
    return this.#isCrashed;
  }

  /** The frame that fills the window. */
  get top(): Frame {
    return this.frames.top;
  }

  /** Runs work that presses keys and buttons one after the other: there is only one mouse and keyboard. */
  async runExclusive<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#lastCall;
    let end: (() => void) | undefined;
    this.#lastCall = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      // The next one waits for those before this one, even if this call gave up.
      void before.then(end);
    }
  }

  /** Makes the page believe that it has the focus, so that menus which close without it stay open. */
  async emulateFocus(signal: AbortSignal): Promise<void> {
    if (this.#emulatesFocus) return;
    this.#emulatesFocus = true;
    await this.session.send("Emulation.setFocusEmulationEnabled", { enabled: true }, signal);
  }

  get emulatesFocus(): boolean {
    return this.#emulatesFocus;
  }
}

/** Enables all events of a session that have listeners. */
function enable(session: Session, log: ConsoleLog): Promise<unknown> {
  log.listen(session, () => {
    session
      .send("Runtime.releaseObjectGroup", { objectGroup: "console" }, sessionLifetime)
      .catch(() => undefined);
  });
  return Promise.all([
    session.send("Page.enable", undefined, sessionLifetime),
    session.send("Page.setLifecycleEventsEnabled", { enabled: true }, sessionLifetime),
    session.send("Inspector.enable", undefined, sessionLifetime),
    session.send("Runtime.enable", undefined, sessionLifetime),
    session.send("Log.enable", undefined, sessionLifetime),
    session.send(
      "Target.setAutoAttach",
      { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: onlyFrames },
      sessionLifetime,
    ),
  ]);
}
