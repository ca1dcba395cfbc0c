import { checkOrigin } from "../access/origins";
import type { Session } from "./session";

/** The address of a window's top frame, tracked by the window's own session to be in order with its other events. */
export class TopFrameUrl {
  /** Undefined until the window navigates. */
  #url: string | undefined;
  readonly #origins: readonly string[];

  constructor(session: Session, frameId: string, origins: readonly string[]) {
    this.#origins = origins;
    session.on("Page.frameNavigated", ({ frame: { id, url } }) => {
      if (id === frameId) this.#url = url;
    });
    session.on("Page.navigatedWithinDocument", (event) => {
      if (event.frameId === frameId) this.#url = event.url;
    });
  }

  /** @throws {ToolError} when the window has navigated to an origin that is not allowed */
  check(): void {
    if (this.#url !== undefined) checkOrigin(this.#url, this.#origins);
  }
}
