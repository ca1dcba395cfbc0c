import { Hub } from "./hub";
import { openStream } from "./stream";

/* The SharedWorker: one for all tabs of this origin. */

const hub = new Hub(openStream);
addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) hub.add(port);
});
