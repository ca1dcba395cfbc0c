import { procedures } from "../router";

/** Makes one call over HTTP, as any client would; returns `ok` or the status. A stream is closed immediately. */
export async function call(
  url: string,
  path: string,
  token: string | undefined,
  input: unknown,
): Promise<string> {
  const hangUp = new AbortController();
  const json = JSON.stringify(input);
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    "content-type": "application/json",
  };
  const endpoint = `${url}/api/trpc/${path}`;
  const kind = procedures[path]?._def.type;
  const response = await (kind === "mutation"
    ? fetch(endpoint, { method: "POST", headers, body: json ?? "" })
    : fetch(json === undefined ? endpoint : `${endpoint}?input=${encodeURIComponent(json)}`, {
        headers: { ...headers, ...(kind === "subscription" && { accept: "text/event-stream" }) },
        signal: hangUp.signal,
      }));
  if (kind !== "subscription") {
    await response.text();
    return response.ok ? "ok" : `${response.status}`;
  }
  const outcome = await firstOfStream(response);
  hangUp.abort();
  return outcome;
}

/** A stream answers 200. Its first event, after tRPC's own, shows whether it was refused. */
async function firstOfStream(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const refused = /event: serialized-error\ndata: (.*)\n/.exec(text);
    if (refused?.[1]) return `${JSON.parse(refused[1]).data.httpStatus}`;
    if (/^data: \{"type"/m.test(text)) return "ok";
  }
  throw new Error(`The stream ended with: ${text}`);
}
