import { never } from "../limit";
import type { Facts } from "../page/facts";
import { arrivalScript, binding, world } from "../page/script";
import type { Milestone } from "./navigation";
import type { Session } from "./session";

/** What a window's document has said of itself on its way: to ask for it would take until all is drawn. */
export class Arrivals {
  readonly #told = new Map<Milestone, Facts>();

  constructor(
    private readonly session: Session,
    frameId: string,
  ) {
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === frameId) this.#told.clear();
    });
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name !== binding) return;
      const { milestone, facts } = JSON.parse(payload) as { milestone: Milestone; facts: Facts };
      this.#told.set(milestone, facts);
    });
  }

  /** Has every document from now on tell of itself, in a world that its own scripts cannot reach. */
  async listen(): Promise<void> {
    await Promise.all([
      this.session.send("Runtime.addBinding", { name: binding, executionContextName: world }, never),
      this.session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        { source: arrivalScript, worldName: world },
        never,
      ),
    ]);
  }

  /** What the present document said when it had come so far; undefined if it said nothing. */
  at(milestone: Milestone): Facts | undefined {
    return this.#told.get(milestone);
  }
}
