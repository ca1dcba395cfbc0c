import type { Server, Socket } from "node:net";
import { networkOf } from "./rateLimits";

/** Enough for all devices behind one router, and a quarter of the connections that an instance accepts. */
const MAX_PER_NETWORK = 2_500;

/**
 * Limits the connections of one network, so that no network takes all connections of an instance. Programs on this
 * machine are not counted, since a local proxy connects on behalf of many clients.
 * @param onRefused called for each refused connection
 */
export function boundConnections(
  server: Server,
  onRefused = () => {},
  maxConnections = MAX_PER_NETWORK,
  isExempt = isLoopback,
): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    // A connection without an address has already been closed.
    if (address === undefined || isExempt(address)) return;
    const network = networkOf(address);
    const others = open.get(network) ?? 0;
    if (others >= maxConnections) {
      socket.destroy();
      onRefused();
      return;
    }
    open.set(network, others + 1);
    socket.once("close", () => {
      const remaining = (open.get(network) ?? 1) - 1;
      if (remaining > 0) open.set(network, remaining);
      else open.delete(network);
    });
  });
}

/** Whether an address is ::1 or in 127.0.0.0/8, in IPv4 or IPv6 notation. */
export const isLoopback = (address: string): boolean =>
  /^(::ffff:)?127\./i.test(address) || address === "::1";
