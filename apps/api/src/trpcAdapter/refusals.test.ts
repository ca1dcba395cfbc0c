import { describe, expect, it } from "vitest";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const { token, organizationId } = await server.signUp();

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body,
  });

/** The first error of an answer, batched or not. */
async function errorOf(response: Response) {
  const body = await response.json();
  const { error } = Array.isArray(body) ? body[0] : body;
  return { status: response.status, code: error.data.code, message: error.message, data: error.data };
}

describe("errors outside procedures have tRPC's error shape, too", () => {
  it("a body over 1 MiB", async () => {
    const body = JSON.stringify({ organizationId, name: "x".repeat(1024 * 1024) });
    for (const path of ["/api/trpc/project.create", "/api/auth/sign-up"])
      expect(await errorOf(await post(path, body))).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("a body that is not JSON", async () => {
    expect(await errorOf(await post("/api/trpc/project.create", "{"))).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
    });
    const form = { "content-type": "multipart/form-data; boundary=x" };
    expect(await errorOf(await post("/api/trpc/project.create", "--x--", form))).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it("an unknown procedure, an unknown path", async () => {
    expect(await errorOf(await post("/api/trpc/project.paint", "{}"))).toMatchObject({ status: 404 });
    expect(await errorOf(await fetch(`${server.url}/nowhere?secret=1`))).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: "No route matches GET /nowhere.",
    });
  });

  it("more than 100 calls in a batch", async () => {
    const paths = Array.from({ length: 101 }, () => "user.get").join(",");
    const response = await fetch(`${server.url}/api/trpc/${paths}?batch=1&input=%7B%7D`);
    expect(await errorOf(response)).toMatchObject({ status: 400, code: "BAD_REQUEST" });
  });

  it("input that nests too deep", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const body = `{"organizationId":"${organizationId}","projectId":"${organizationId}","name":"a","type":"main","config":{"a":${deep}}}`;
    expect(await errorOf(await post("/api/trpc/workspace.create", body))).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
    });
  });

  it("a request id in the answer and its header", async () => {
    const response = await post("/api/trpc/project.create", "{}");
    expect((await errorOf(response)).data.requestId).toBe(response.headers.get("x-request-id"));
  });
});

describe("a credential", () => {
  it("is looked up once for a batch of ten, with one statement", async () => {
    const before = server.statements.length;
    const client = server.client(token);
    await Promise.all(
      Array.from({ length: 10 }, () => client.project.list.query({ organizationId, limit: 50 })),
    );
    const statements = server.statements.slice(before);
    expect(statements.filter(({ sql }) => sql.includes('"projects"'))).toHaveLength(10);
    expect(statements).toHaveLength(11);
  });

  it("that is invalid never falls back to a valid cookie", async () => {
    const cookie = `grove_session=${token}`;
    const withCookie = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/trpc/user.get`, { headers: { cookie, ...headers } });
    expect((await withCookie({})).status).toBe(200);
    expect((await withCookie({ authorization: "Bearer grs_wrong" })).status).toBe(401);
    expect((await withCookie({ "x-api-key": "grk_wrong" })).status).toBe(401);
  });
});
