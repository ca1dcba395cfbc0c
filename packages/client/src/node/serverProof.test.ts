import { createHmac } from "node:crypto";
import type { RequestListener } from "node:http";
import { proofMessage } from "@grove/schemas";
import { expect, it } from "vitest";
import { listen } from "../testing";
import { createProvenFetch, NotProvenError, ProvenAgent } from "./serverProof";
import { createTransport } from "./transport";

const key = "01".repeat(32);
const secret = "grd_secret";
const input = {
  id: crypto.randomUUID(),
  journalId: crypto.randomUUID(),
  status: "succeeded" as const,
  result: {},
};

/** Answers challenges with this key, as the API does, and everything else with `answer`. Records all requests. */
async function program(answers: { key: string; port?: number }, answer: RequestListener = () => {}) {
  const heard: string[] = [];
  let proofs = 0;
  const url = await listen((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname !== "/api/proof") return answer(request, response);
    proofs++;
    const { localAddress: address = "", localPort = 0 } = request.socket;
    const signedMessage = proofMessage({
      address,
      port: answers.port ?? localPort,
      challenge: searchParams.get("challenge") ?? "",
    });
    response.end(
      JSON.stringify({ proof: createHmac("sha256", answers.key).update(signedMessage).digest("hex") }),
    );
  });
  return { url, heard: () => heard.join("\n"), proofs: () => proofs };
}

it("sends secrets to a program that has the key, on connections that prove it once", async () => {
  const { url, heard, proofs } = await program({ key }, (_, response) =>
    response.end(JSON.stringify({ result: { data: { ok: true } } })),
  );
  const agent = new ProvenAgent(key);
  const transport = createTransport({ apiUrl: url, token: secret, agent });
  for (let call = 0; call < 3; call++) await transport.mutate("agent", "complete", input, 5_000);
  expect(heard()).toContain(secret);
  expect(proofs()).toBe(1);
  const answer = await createProvenFetch(agent)(`${url}/anything`, { headers: { authorization: secret } });
  expect(await answer.json()).toEqual({ result: { data: { ok: true } } });
});

it.each([
  ["has another key", { key: "02".repeat(32) }],
  // A Grove that listens elsewhere would give such proofs.
  ["passes on another one's proofs", { key, port: 3000 }],
])("sends nothing to a program that %s", async (_, answers) => {
  const { url, heard } = await program(answers);
  const agent = new ProvenAgent(key);
  const transport = createTransport({ apiUrl: url, token: secret, agent });
  await expect(transport.mutate("agent", "complete", input, 5_000)).rejects.toThrow(NotProvenError);
  const ended = await new Promise((resolve) =>
    transport.subscribe("device", "probe", undefined, { onData: () => {}, onEnd: resolve }),
  );
  expect(ended).toBeInstanceOf(NotProvenError);
  await expect(transport.client.user.get.query()).rejects.toThrow("is not this machine's Grove");
  expect(heard()).toContain("/api/proof");
  expect(heard()).not.toContain(secret);
});

it.each<[string, RequestListener]>([
  ["hangs up", (request) => request.socket.destroy()],
  ["knows nothing of proofs", (_, response) => response.writeHead(404).end("{}")],
  ["talks without end", (_, response) => void response.writeHead(200).write("x".repeat(1024 * 1024))],
])("sends nothing to a program that %s", async (_, listener) => {
  const heard: string[] = [];
  const url = await listen((request, response) => {
    heard.push(JSON.stringify(request.headers));
    listener(request, response);
  });
  const transport = createTransport({ apiUrl: url, token: secret, agent: new ProvenAgent(key) });
  await expect(transport.mutate("agent", "complete", input, 20_000)).rejects.toThrow(NotProvenError);
  expect(heard.join()).not.toContain(secret);
});

it("reports that no server listens", async () => {
  // Connections to port 9 (discard) are refused.
  const fetcher = createProvenFetch(new ProvenAgent(key));
  await expect(fetcher("http://127.0.0.1:9")).rejects.toThrow("ECONNREFUSED");
});

it("streams, and stops when it is aborted", async () => {
  const { url } = await program({ key }, (_, response) => void response.write("one"));
  const stop = new AbortController();
  const answer = await createProvenFetch(new ProvenAgent(key))(`${url}/stream`, { signal: stop.signal });
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
  const next = reader?.read();
  stop.abort();
  await expect(next).rejects.toThrow();
});
