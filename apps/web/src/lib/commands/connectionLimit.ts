/** Calls that wait for a device or a provider, and so occupy a connection for seconds. */
const longCalls =
  /\/trpc\/(agent\.(execute|sendInput|resizeSession|stopSession)|workspace\.(listPoints|undo|change\.\w+)|integration\.(codehost|tracker|messenger)\.\w+)(\?|$)/;

/** `fetch` with a cross-tab limit on long-polling calls, so short calls always find a connection. */
export const withConnectionLimit: typeof fetch = async (input, init) => {
  if (!longCalls.test(String(input))) return fetch(input, init);
  const { hubConnection } = await import("../../live/hubConnection");
  return hubConnection.runQueued(() => fetch(input, init));
};
