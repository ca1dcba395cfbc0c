import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { TRPCError } from "@trpc/server";
import { expect, it, onTestFinished } from "vitest";
import { errorData } from "../index";
import { listen, serve, t } from "../testing";
import { createTransport } from "./transport";

const until = (isSo: () => boolean) => expect.poll(isSo).toBe(true);
const connection = { journalId: crypto.randomUUID(), agentVersion: "1.0.0", capabilities: [] };

const deviceId = crypto.randomUUID();
const at = (apiUrl: string) => createTransport({ apiUrl, token: "grd_secret", deviceId });

const report = () => ({
  id: crypto.randomUUID(),
  journalId: crypto.randomUUID(),
  result: { name: "Ångström" },
});

/** Collects the events of a subscription, and its end. */
function follow(apiUrl: string) {
  const data: unknown[] = [];
  const errors: unknown[] = [];
  const close = at(apiUrl).subscribe("device", "connect", connection, {
    onData: (each) => data.push(each),
    onEnd: (error) => errors.push(error),
  });
  onTestFinished(close);
  return { data, errors, close };
}

/** A server that begins a stream, and the response to write it to. */
async function streaming() {
  let begun = (_answer: ServerResponse) => {};
  const answering = new Promise<ServerResponse>((resolve) => {
    begun = resolve;
  });
  const url = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    begun(response);
  });
  const subscription = follow(url);
  return { ...subscription, answer: await answering };
}

it("presents the key, and reads events as they arrive, even in pieces", async () => {
  let authorization: string | undefined;
  const url = await listen((request, response) => {
    authorization = request.headers.authorization;
    const bytes = Buffer.from(
      'event: connected\ndata: {}\n\ndata: {"name":"Ångström"}\n\n\nevent: ping\ndata: \n\n',
    );
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const byte of bytes) response.write(Buffer.of(byte));
  });
  const { data, errors } = follow(url);
  await until(() => data.length > 0);
  expect(data).toEqual([{ name: "Ångström" }]);
  expect(errors).toEqual([]);
  expect(authorization).toBe("Bearer grd_secret");
});

it("ends once: when the API ends it, when the stream ends, and when the connection breaks", async () => {
  const returned = await streaming();
  returned.answer.write("event: return\ndata: \n\n");
  const ended = await streaming();
  ended.answer.end();
  const broken = await streaming();
  broken.answer.destroy();
  await until(() => [returned, ended, broken].every(({ errors }) => errors.length > 0));
  expect([returned.errors, ended.errors]).toEqual([[undefined], [undefined]]);
  expect(broken.errors).toEqual([expect.any(Error)]);
});

it("ends at data that is not an event, and at an event that is too long", async () => {
  const { answer, errors } = await streaming();
  answer.write("data: {\n\n");
  await until(() => errors.length > 0);
  expect(errors).toEqual([expect.any(SyntaxError)]);
  const long = await streaming();
  long.answer.write(`data: ${"x".repeat(9 * 1024 * 1024)}`);
  await until(() => long.errors.length > 0);
  expect(String(long.errors)).toContain("buffer");
});

it("reports nothing once it is closed", async () => {
  const { answer, errors, data, close } = await streaming();
  close();
  await once(answer, "close");
  expect({ errors, data }).toEqual({ errors: [], data: [] });
});

const refuse = (code: TRPCError["code"]) => () => {
  throw new TRPCError({ code });
};

it("works with a stock tRPC server: input, events, end, and the reason of a refusal", async () => {
  const router = t.router({
    device: t.router({
      probe: t.procedure.subscription(refuse("UNAUTHORIZED")),
      connect: t.procedure
        .input((input) => input)
        .subscription(async function* ({ input }) {
          yield { input };
          yield "and the end";
        }),
    }),
    agent: t.router({
      complete: t.procedure.input((input) => input).mutation(({ input }) => ({ status: input })),
      start: t.procedure.mutation(refuse("CONFLICT")),
    }),
  });
  const { apiUrl, seen } = await serve(router, "/under");
  const { data, errors } = follow(`${apiUrl}/`);
  await until(() => errors.length > 0);
  expect({ data, errors }).toEqual({ data: [{ input: connection }, "and the end"], errors: [undefined] });
  const refused = await new Promise((resolve) => {
    at(apiUrl).subscribe("device", "probe", undefined, { onData: () => {}, onEnd: resolve });
  });
  expect(errorData(refused)?.code).toBe("UNAUTHORIZED");

  const sent = report();
  expect(await at(apiUrl).mutate("agent", "complete", sent, 60_000)).toEqual({ status: sent });
  const error: unknown = await at(apiUrl)
    .mutate("agent", "start", sent, 60_000)
    .catch((reason: unknown) => reason);
  expect(errorData(error)?.code).toBe("CONFLICT");
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer grd_secret"]));
  expect(new Set(seen.map(({ device }) => device))).toEqual(new Set([deviceId]));
});

it("gives up a call that is not answered in time, even half-way, and fails when it cannot be sent", async () => {
  const silent = await listen(() => {});
  const halfWay = await listen((_, response) => response.writeHead(200).write('{"result":'));
  for (const apiUrl of [silent, halfWay])
    await expect(at(apiUrl).mutate("agent", "complete", report(), 50)).rejects.toThrow("within 50 ms");
  const moved = await listen((_, response) => response.writeHead(307, { location: silent }).end("{}"));
  for (const apiUrl of [moved, "nowhere", "http://127.0.0.1:9"])
    await expect(at(apiUrl).mutate("agent", "complete", report(), 60_000)).rejects.toThrow();
});

it("reports when something other than the API answers, or nothing does", async () => {
  const proxy = await listen((_, response) => response.writeHead(502).end("<h1>Bad gateway</h1>"));
  const other = follow(proxy);
  const speaksJson = await listen((_, response) => response.writeHead(503).end('{"error":"no upstream"}'));
  const another = follow(speaksJson);
  // Connections to port 9 (discard) are refused.
  const nobody = follow("http://127.0.0.1:9");
  await until(() => [other, another, nobody].every(({ errors }) => errors.length > 0));
  expect(String(other.errors)).toContain("502");
  expect(String(another.errors)).toContain("503");
  expect(String(nobody.errors)).toContain("ECONNREFUSED");
});

it("ends instead of throwing when the request cannot be sent", async () => {
  const upperCase = follow("HTTP://127.0.0.1:9");
  const noAddress = follow("nowhere");
  const errors: unknown[] = [];
  createTransport({ apiUrl: "http://127.0.0.1:9", token: "grd_\n" }).subscribe(
    "device",
    "connect",
    connection,
    {
      onData: () => {},
      onEnd: (error) => errors.push(error),
    },
  );
  expect([...noAddress.errors, ...errors]).toEqual([]);
  await until(() => [upperCase.errors, noAddress.errors, errors].every(({ length }) => length === 1));
  expect(String(upperCase.errors)).toContain("ECONNREFUSED");
});
