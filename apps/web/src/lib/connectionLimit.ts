/** Calls that may wait for a device or a provider. Each keeps a connection for as long as it waits. */
const waiting =
  /\/trpc\/(agent\.(execute|sendInput|resizeSession|stopSession)|integration\.(codehost|tracker|messenger)\.\w+)(\?|$)/;

/** Like `fetch`, but few calls that wait go at the same time from all tabs, so that others always have a connection. */
export const withConnectionLimit: typeof fetch = async (input, init) => {
  if (!waiting.test(String(input))) return fetch(input, init);
  const { hubConnection } = await import("../live/hubConnection");
  const endCall = await hubConnection.waitForTurn();
  try {
    return await fetch(input, init);
  } finally {
    endCall();
  }
};
