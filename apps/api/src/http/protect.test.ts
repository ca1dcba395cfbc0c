import { describe, expect, it } from "vitest";
import { failure, useHttpServer } from "../testing/http";

const { server, build, person } = await useHttpServer({
  publicUrl: "https://grove.example.com",
  webOrigins: ["https://app.example.com/"],
  allowedHosts: ["api", "Grove.internal:3000", "[fd00::1]"],
});

describe("the Host header", () => {
  const ask = (host: string, headers: Record<string, string> = {}, url = "/api/auth/session") =>
    server.inject({ method: "GET", url, headers: { ...headers, host } });
  /** The answer to an anonymous caller where the Host is accepted. */
  const UNAUTHORIZED = 401;

  it.each([
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1",
    "127.0.0.1:65535",
    "127.8.9.10:1",
    "[::1]",
    "[::1]:3000",
    "grove.example.com",
    "Grove.Example.com:443",
    "api",
    "API:3000",
    "grove.internal:3000",
    "[fd00::1]:8080",
  ])("may be %s", async (host) => {
    expect((await ask(host)).statusCode).toBe(UNAUTHORIZED);
  });

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example:3000",
    "grove.example.com.evil.example",
    "sub.grove.example.com",
    "grove.example.com:8443",
    "localhost@evil.example",
    "localhost/evil.example",
    "128.0.0.1",
    "0.0.0.0",
    "[::2]",
    "::1",
    "localhost:",
    " ",
    "api.evil.example",
    "api:evil",
    "grove.internal:3001",
    "grove.internal",
  ])("may not be %j", async (host) => {
    expect(failure(await ask(host))).toMatchObject({
      status: 421,
      httpStatus: 421,
      reason: "host_not_allowed",
    });
  });

  it("may not be forged by a forwarded one, unless a proxy is trusted", async () => {
    const forwarded = { "x-forwarded-host": "localhost" };
    expect((await ask("evil.example", forwarded)).statusCode).toBe(421);
    const behindProxy = await build({ publicUrl: "https://grove.example.com", trustProxy: true });
    const response = await behindProxy.inject({
      method: "GET",
      url: "/api/auth/session",
      headers: { host: "backend:3000", "x-forwarded-host": "grove.example.com" },
    });
    expect(response.statusCode).toBe(UNAUTHORIZED);
  });

  it.each(["/health", "/ready", "/health?from=kubelet"])("may be anything for %s", async (url) => {
    expect((await ask("10.244.1.17:3000", {}, url)).statusCode).toBe(200);
  });

  it("is checked for unknown paths, too", async () => {
    const response = await server.inject({
      method: "GET",
      url: "/nothing",
      headers: { host: "evil.example" },
    });
    expect(response.statusCode).toBe(421);
  });

  it("must be loopback's without a public URL", async () => {
    const local = await build({});
    const at = async (host: string) =>
      (await local.inject({ method: "GET", url: "/api/auth/session", headers: { host } })).statusCode;
    expect([await at("localhost:3000"), await at("grove.example.com")]).toEqual([UNAUTHORIZED, 421]);
  });
});

describe("a change made with the cookie", () => {
  const signOut = async (headers: Record<string, string>) => {
    const { token } = await person();
    return server.inject({
      method: "POST",
      url: "/api/auth/sign-out",
      headers: { cookie: `__Host-grove_session=${token}`, ...headers },
    });
  };

  it.each(["https://grove.example.com", "https://app.example.com"])("may come from %s", async (origin) => {
    expect((await signOut({ origin })).statusCode).toBe(200);
  });

  it.each([
    "https://evil.example",
    "https://grove.example.com.evil.example",
    "http://grove.example.com",
    "https://grove.example.com:8443",
    "null",
    "",
  ])("may not come from %j", async (origin) => {
    expect(failure(await signOut({ origin }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
      reason: "origin_not_allowed",
    });
  });

  it.each([
    [{ host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" }, 200],
    [{ host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-origin" }, 200],
    [{ host: "localhost:5173", origin: "http://localhost:5173" }, 200],
    [{ host: "127.0.0.1:3000", origin: "http://127.0.0.1:5173" }, 403],
    [{ host: "127.0.0.1:3000", origin: "http://localhost:3000" }, 403],
    [{ host: "127.0.0.1:3000", origin: "https://127.0.0.1:3000" }, 403],
    [{ host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" }, 403],
    [{ host: "evil.example", origin: "http://evil.example" }, 421],
  ])("may come from a page of the very address that it is sent to: %j", async (headers, status) => {
    expect((await signOut(headers)).statusCode).toBe(status);
  });

  it("may not come without our origin, and is checked on every path and method", async () => {
    expect(failure(await signOut({}))).toMatchObject({ reason: "origin_not_allowed" });
    for (const method of ["PUT", "PATCH", "DELETE"] as const) {
      const headers = { cookie: "__Host-grove_session=x", origin: "https://evil.example" };
      const response = await server.inject({ method, url: "/api/trpc/user.get", headers });
      expect(failure(response)).toMatchObject({ reason: "origin_not_allowed" });
    }
  });

  it("is not a script's call, which sends a header", async () => {
    const { token } = await person();
    for (const headers of [{ authorization: `Bearer ${token}` }, { "x-api-key": token }]) {
      const response = await server.inject({
        method: "POST",
        url: "/api/auth/sign-out",
        headers: { ...headers, origin: "https://evil.example" },
      });
      expect(response.statusCode).toBe(200);
    }
  });

  it("may be read from anywhere: what a page cannot change, it cannot see", async () => {
    const { token } = await person();
    const headers = { cookie: `__Host-grove_session=${token}`, origin: "https://evil.example" };
    const response = await server.inject({ method: "GET", url: "/api/auth/session", headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers["access-control-allow-origin"]).not.toBe("https://evil.example");
  });
});

describe("a preflight", () => {
  const ask = (to: typeof server) =>
    to.inject({
      method: "OPTIONS",
      url: "/api/trpc/user.get",
      headers: { origin: "http://localhost:5173", "access-control-request-method": "POST" },
    });

  it("is answered where WEB_ORIGINS has its origin", async () => {
    const { statusCode, headers } = await ask(await build({ webOrigins: ["http://localhost:5173"] }));
    expect([statusCode, headers["access-control-allow-origin"]]).toEqual([204, "http://localhost:5173"]);
  });

  it("is refused without WEB_ORIGINS, with that reason", async () => {
    const response = await ask(await build({}));
    expect(failure(response)).toMatchObject({ status: 403, code: "FORBIDDEN", reason: "origin_not_allowed" });
    expect(response.body).toContain("WEB_ORIGINS");
  });
});

describe("a body for tRPC", () => {
  const call = async (headers: Record<string, string>, url = "/api/trpc/organization.create") => {
    const { token } = await person();
    return server.inject({
      method: "POST",
      url,
      payload: JSON.stringify({ name: "Acme" }),
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  };

  it.each(["application/json", "Application/JSON; charset=utf-8"])("may be %s", async (type) => {
    expect((await call({ "content-type": type })).statusCode).toBe(200);
  });

  it.each([
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/octet-stream",
    "text/plain; application/json",
    "application/jsonp",
  ])("may not be %s", async (type) => {
    for (const url of ["/api/trpc/organization.create", "/api/trpc/organization%2Ecreate?batch=1"])
      expect(failure(await call({ "content-type": type }, url))).toMatchObject({
        status: 415,
        code: "UNSUPPORTED_MEDIA_TYPE",
      });
  });

  it("must have a content type", async () => {
    const { token } = await person();
    const headers = { authorization: `Bearer ${token}` };
    const response = await server.inject({ method: "POST", url: "/api/trpc/organization.create", headers });
    expect(response.statusCode).toBe(415);
  });
});
