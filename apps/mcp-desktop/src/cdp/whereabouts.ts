import { checkOrigin } from "../origins";
import type { Session } from "./session";

/** Which address a window's top frame shows, as its own session tells: in order with whatever else that one says. */
export class Whereabouts {
  /** Nothing until it goes somewhere. */
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

  /** @throws ToolError when the window went to an origin that is not allowed since the server has known it */
  check(): void {
    if (this.#url !== undefined) checkOrigin(this.#url, this.origins);
  }
}
