import { checkOrigin } from "../origins";
import type { Session } from "./session";

/** The address that a window's top frame shows, as the window's own session tells it: in order with its other events. */
export class Whereabouts {
  /** Undefined until the window goes somewhere. */
  #url: string | undefined;

  constructor(
    session: Session,
    frameId: string,
    private readonly origins: readonly string[],
  ) {
    session.on("Page.frameNavigated", ({ frame: { id, url } }) => {
      if (id === frameId) this.#url = url;
    });
    session.on("Page.navigatedWithinDocument", (event) => {
      if (event.frameId === frameId) this.#url = event.url;
    });
  }

  /** @throws ToolError when the window has gone to an origin that is not allowed */
  check(): void {
    if (this.#url !== undefined) checkOrigin(this.#url, this.origins);
  }
}
