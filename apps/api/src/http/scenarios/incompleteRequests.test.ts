import { createConnection } from "node:net";
import { expect, it } from "vitest";
import { useTestServer } from "../../testing/server";

const origin = "https://app.example.com";
const server = await useTestServer({ webOrigins: [origin] });
const { token, organizationId } = await server.signUp();
const authorization = `Bearer ${token}`;

const encoded = (input: unknown) => encodeURIComponent(JSON.stringify(input));

interface Failed {
  error: { message: string; data: { code: string; reason?: string; requestId: string; details?: object } };
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization, ...headers } });
  const body = (await response.json()) as Failed | Failed[];
  const [first] = Array.isArray(body) ? body : [body];
  return { response, error: first?.error };
}

it("a batch of too many calls is refused with the limit", async () => {
  const paths = Array(101).fill("user.get").join(",");
  const { response, error } = await get(`/api/trpc/${paths}?batch=1&input=%7B%7D`);
  expect(response.status).toBe(400);
  expect(error?.data).toMatchObject({
    code: "BAD_REQUEST",
    reason: "too_many_calls",
    details: { limit: 100, count: 101 },
    requestId: response.headers.get("x-request-id"),
  });
});

it.each([
  ["mixed kinds", "/api/trpc/user.get,project.create?batch=1&input=%7B%7D"],
  ["input that is not JSON", "/api/trpc/project.list?input=%7B"],
  ["invalid connectionParams", "/api/trpc/user.get?connectionParams=%7B"],
])("the error for a malformed request names its request id: %s", async (_, path) => {
  const { response, error } = await get(path);
  expect(response.status).toBe(400);
  expect(error?.data.requestId).toBe(response.headers.get("x-request-id"));
});

/** The answer to a request line that no client library would send. */
function raw(line: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = createConnection({ host: hostname, port: Number(port) }, () =>
      socket.write(`${line} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`),
    );
    socket.on("data", (part) => {
      text += part;
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}

it.each([
  ["that is malformed", "GET /api/trpc/%zz", 400],
  ["that is too long", `GET /api/trpc/${"a".repeat(6_000)}`, 414],
])("a path %s is answered in tRPC's form", async (_, line, status) => {
  const answer = await raw(line);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as Failed;
  expect(error.data.code).toBe("BAD_REQUEST");
  expect(answer).toContain(`x-request-id: ${error.data.requestId}`);
});

it.each([
  ["by the fast path", {}],
  ["by tRPC itself", { "trpc-accept": "application/json" }],
])("no cache keeps an answer given %s, or passes it to another origin", async (_, headers) => {
  const { response } = await get("/api/trpc/user.get", { origin, ...headers });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("vary")).toBe("Origin, trpc-accept, accept");
});

it("a stream sends the same vary header", async () => {
  const stop = new AbortController();
  const response = await fetch(`${server.url}/api/trpc/task.watch?input=${encoded({ organizationId })}`, {
    headers: { authorization, origin },
    signal: stop.signal,
  });
  expect(response.headers.get("vary")).toBe("Origin, trpc-accept, accept");
  stop.abort();
});

it("an error does not repeat all of a wrong input", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`${"x".repeat(80)}${n}`, 1]));
  const response = await fetch(`${server.url}/api/trpc/project.create`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ organizationId, ...unknown }),
  });
  expect(response.status).toBe(400);
  expect((await response.text()).length).toBeLessThan(10_000);
});

it("`batch` given twice is a batch, as it is for tRPC", async () => {
  const response = await fetch(`${server.url}/api/trpc/user.get?batch=1&batch=1&input=%7B%7D`, {
    headers: { authorization },
  });
  expect(await response.json()).toEqual([{ result: { data: expect.anything() } }]);
});

it("a body may begin with a byte order mark", async () => {
  const response = await fetch(`${server.url}/api/trpc/user.update`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: `\uFEFF${JSON.stringify({ name: "Grace" })}`,
  });
  expect(await response.json()).toMatchObject({ result: { data: { name: "Grace" } } });
});
