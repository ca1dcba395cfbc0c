import { request as httpRequest } from "node:http";
import { TRPCError } from "@trpc/server";
import { expect, it } from "vitest";
import { errorData } from "../index";
import { listen, serve, t } from "../testing";
import { mutationsTo, UnexpectedAnswerError } from "./mutations";

const options = { method: "POST", headers: { "content-type": "application/json" } };

const router = t.router({
  agent: t.router({
    echo: t.procedure.input((input) => input).mutation(({ input }) => input),
    refuse: t.procedure.mutation(() => {
      throw new TRPCError({ code: "CONFLICT" });
    }),
  }),
});

it("sends the first alone, and those beside it as batches of at most a hundred, each with its own answer", async () => {
  const { apiUrl, seen } = await serve(router, "");
  const mutate = mutationsTo(`${apiUrl}/api/trpc`, options);
  const calls = Array.from({ length: 150 }, (_, n) => mutate("agent.echo", { n }, 60_000));
  const refused = mutate("agent.refuse", {}, 60_000).catch(errorData);
  const large = { text: "x".repeat(9_000) };
  const alone = mutate("agent.echo", large, 60_000);
  expect(await Promise.all(calls)).toEqual(calls.map((_, n) => ({ n })));
  expect(await refused).toMatchObject({ code: "CONFLICT" });
  expect(await alone).toEqual(large);
  const sizes = seen.map((request) => request.calls.length);
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 1, 50, 100]);
});

it("sends a mutation again on another connection when the server has closed the one that was kept", async () => {
  let answers = 0;
  const sockets = new Set<unknown>();
  const closes = await listen((request, response) => {
    const isKept = sockets.has(request.socket);
    sockets.add(request.socket);
    if (isKept) request.socket.resetAndDestroy();
    else response.end(JSON.stringify({ result: { data: ++answers } }));
  });
  const mutate = mutationsTo(`${closes}/api/trpc`, options);
  for (const n of [1, 2, 3]) expect(await mutate("agent.echo", {}, 60_000)).toBe(n);
  expect(sockets.size).toBe(3);
});

it("sends the mutations of a batch alone when a proxy refuses the batch for its size", async () => {
  const { apiUrl } = await serve(router, "");
  const limited = await listen((request, response) => {
    const isTooLarge = Number(request.headers["content-length"]) > 5_000;
    if (isTooLarge) return void response.writeHead(413).end("<h1>413 Request Entity Too Large</h1>");
    const to = httpRequest(apiUrl + request.url, { method: "POST", headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(to);
  });
  const mutate = mutationsTo(`${limited}/api/trpc`, options);
  const texts = ["a", "b", "c"].map((letter) => ({ text: letter.repeat(3_000) }));
  expect(await Promise.all(texts.map((text) => mutate("agent.echo", text, 60_000)))).toEqual(texts);
  const tooLarge = await mutate("agent.echo", { text: "x".repeat(6_000) }, 60_000).catch((error) => error);
  expect(tooLarge).toBeInstanceOf(UnexpectedAnswerError);
  expect(tooLarge).toMatchObject({ status: 413 });
});

it("fails all calls of a batch when the whole request does", async () => {
  const refusal = { error: { message: "busy", code: -32029, data: { code: "TOO_MANY_REQUESTS" } } };
  const busy = await listen((_, response) => response.writeHead(429).end(JSON.stringify(refusal)));
  const proxy = await listen((_, response) => response.writeHead(502).end("<h1>Bad gateway</h1>"));
  const broken = await listen((request) => request.socket.destroy());
  for (const [apiUrl, reason] of [
    [busy, /busy/],
    [proxy, /HTTP 502/],
    [broken, /hang up|reset/],
  ] as const) {
    const mutate = mutationsTo(`${apiUrl}/api/trpc`, options);
    const calls = [1, 2, 3].map((n) => mutate("agent.echo", { n }, 60_000));
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(reason) } });
  }
});
