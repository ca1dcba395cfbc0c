import type { Agent } from "node:http";
import { addressOf, exchange } from "./exchange";
import type { ClientOptions } from "./index";

type CallFetch = NonNullable<ClientOptions["callFetch"]>;

/**
 * The part of fetch that a call needs, over persistent connections, for programs on Node. The built-in fetch reads each
 * small answer through web streams, at several times the processor time, and a device makes a call for each command.
 * @param agent replaces the default connections; for plain http
 */
export const createCallFetch =
  (agent?: Agent): CallFetch =>
  async (input, init = {}) => {
    const { method = "GET", body, signal } = init;
    signal?.throwIfAborted();
    const headers = Object.fromEntries(new Headers(init.headers));
    const call = { method, headers, ...(agent && { agent }) };
    const { answer, giveUp } = exchange(addressOf(String(input)), call, body);
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const { status, text } = await answer;
      // A server that has moved is rare, so the built-in fetch handles it. A server that must prove itself never moves.
      if (!agent && status >= 300 && status < 400) return await fetch(input, init as RequestInit);
      return { ok: status < 300, json: async () => JSON.parse(text) };
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  };
