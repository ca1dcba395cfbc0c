import { addressOf, exchange } from "./exchange";
import type { ClientOptions } from "./index";

/**
 * As much of fetch as a call needs, on connections that stay open, for programs on Node. The built-in one takes each small
 * answer through web streams, at several times the processor time, and a device makes a call for each command.
 */
export const callFetch: NonNullable<ClientOptions["callFetch"]> = async (input, init = {}) => {
  const { method = "GET", body, signal } = init;
  signal?.throwIfAborted();
  const headers = Object.fromEntries(new Headers(init.headers));
  const { answer, giveUp } = exchange(addressOf(String(input)), { method, headers }, body);
  const onAbort = () => giveUp(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { status, text } = await answer;
    // Rare enough to leave to the one that knows how: a server that has moved.
    if (status >= 300 && status < 400) return await fetch(input, init as RequestInit);
    return { ok: status < 300, json: async () => JSON.parse(text) };
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
};
