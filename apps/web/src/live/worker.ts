import { Hub } from "./hub";
import { openStreams } from "./openStream";

/* The SharedWorker of all tabs of this origin. */

const hub = new Hub(openStreams);
addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) hub.add(port);
});
