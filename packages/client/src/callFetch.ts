import type { Agent } from "node:http";
import { addressOf, exchange } from "./exchange";
import type { ClientOptions } from "./index";

type CallFetch = NonNullable<ClientOptions["callFetch"]>;

/**
 * As much of fetch as a call needs, on connections that stay open, for programs on Node. The built-in one takes each small
 * answer through web streams, at several times the processor time, and a device makes a call for each command.
 * @param agent for connections other than the usual ones, over plain http
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
      // Rare enough to leave to the one that knows how: a server that has moved. One that was to prove itself has not.
      if (!agent && status >= 300 && status < 400) return await fetch(input, init as RequestInit);
      return { ok: status < 300, json: async () => JSON.parse(text) };
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  };
