import { documentFacts } from "./documentFacts";
import { binding } from "./isolatedWorld";

/** Makes a document report its facts with each of its own events, before it draws that state. */
function reportMilestones(): void {
  const report = Reflect.get(globalThis, binding) as (payload: string) => void;
  const reportFacts = (milestone: string) => report(JSON.stringify({ milestone, facts: documentFacts() }));
  const onParsed = () => {
    reportFacts("DOMContentLoaded");
    // A listener that is added now runs after the page's own.
    addEventListener("load", () => reportFacts("load"), { once: true });
  };
  addEventListener("DOMContentLoaded", onParsed, { once: true });
}

if (self === top) reportMilestones();
