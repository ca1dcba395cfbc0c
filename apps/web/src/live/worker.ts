import { connectionBudgets } from "./connectionBudget";
import { Hub } from "./hub";
import { openStream } from "./openStream";

/* The SharedWorker of all tabs of this origin. The page passes the budget in the worker's name. */

const hub = new Hub(
  openStream,
  Reflect.get(globalThis, "name") === "many" ? connectionBudgets.many : connectionBudgets.few,
);
addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) hub.add(port);
});
