import { sessionLifetime } from "../browser/sessionLifetime";
import arrivalScript from "../page/arrival?script";
import type { DocumentFacts } from "../page/documentFacts";
import { binding, isolatedWorld } from "../page/isolatedWorld";
import type { Milestone } from "./navigation";
import type { Session } from "./session";

/**
 * Facts that a window's document has reported while loading. Asking it instead would take until everything is drawn.
 */
export class LoadMilestones {
  readonly #factsByMilestone = new Map<Milestone, DocumentFacts>();
  readonly #session: Session;

  constructor(session: Session, frameId: string) {
    this.#session = session;
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === frameId) this.#factsByMilestone.clear();
    });
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name !== binding) return;
      const { milestone, facts } = JSON.parse(payload) as { milestone: Milestone; facts: DocumentFacts };
      this.#factsByMilestone.set(milestone, facts);
    });
  }

  /** Makes every future document report its facts, in a world that its own scripts cannot reach. */
  async listen(): Promise<void> {
    await Promise.all([
      this.#session.send(
        "Runtime.addBinding",
        { name: binding, executionContextName: isolatedWorld },
        sessionLifetime,
      ),
      this.#session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        { source: arrivalScript, worldName: isolatedWorld },
        sessionLifetime,
      ),
    ]);
  }

  /** The facts that the current document reported at a milestone; undefined if it reported none. */
  at(milestone: Milestone): DocumentFacts | undefined {
    return this.#factsByMilestone.get(milestone);
  }
}
