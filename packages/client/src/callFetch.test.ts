import { expect, it } from "vitest";
import { createCallFetch } from "./callFetch";
import { listen } from "./testing";

const callFetch = createCallFetch();

it("sends a call and reads its answer, with any status and in any script", async () => {
  const url = await listen((request, response) => {
    const { method, headers } = request;
    response.statusCode = request.url === "/refused" ? 403 : 200;
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () =>
      response.end(JSON.stringify({ method, authorization: headers.authorization, body })),
    );
  });
  const call = { method: "POST", headers: { authorization: "Bearer grd_secret" }, body: '"Ångström"' };
  const answer = await callFetch(`${url}/taken`, call);
  expect(answer.ok).toBe(true);
  expect(await answer.json()).toEqual({
    method: "POST",
    authorization: "Bearer grd_secret",
    body: '"Ångström"',
  });
  expect((await callFetch(`${url}/refused`)).ok).toBe(false);
});

it("follows a server that has moved", async () => {
  const moved = await listen((_, response) => response.end('"here"'));
  const url = await listen((_, response) => response.writeHead(307, { location: moved }).end());
  expect(await (await callFetch(url)).json()).toBe("here");
});

it("fails when nobody listens, when the answer breaks off, and when the caller gives up", async () => {
  // Nobody listens on port 9 (discard).
  await expect(callFetch("http://127.0.0.1:9")).rejects.toThrow("ECONNREFUSED");
  const url = await listen((request, response) => {
    if (request.url === "/breaks")
      response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
  });
  await expect(callFetch(`${url}/breaks`)).rejects.toThrow();
  const giveUp = new AbortController();
  const call = callFetch(`${url}/silent`, { signal: giveUp.signal });
  giveUp.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
});
