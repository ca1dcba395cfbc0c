import { budgets } from "./budget";
import { Hub } from "./hub";
import { openStream } from "./stream";

/* The SharedWorker: one for all tabs of this origin. The page names it after the budget. */

const hub = new Hub(openStream, Reflect.get(globalThis, "name") === "many" ? budgets.many : budgets.few);
addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) hub.add(port);
});
