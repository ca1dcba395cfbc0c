import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { failure, useHttpServer } from "../../testing/http";
import { releaseOf } from "./release";

const webDir = await mkdtemp(join(tmpdir(), "grove-console-"));
afterAll(() => rm(webDir, { recursive: true }));
const script = 'console.log("hello");';
await mkdir(join(webDir, "assets"));
await mkdir(join(webDir, ".vite"));
await writeFile(join(webDir, "index.html"), '<script src="/assets/a.js" nonce="CSP_NONCE"></script>');
await writeFile(join(webDir, "theme.js"), "theme");
await writeFile(join(webDir, "assets", "a.js"), script);
await writeFile(join(webDir, "assets", "a.js.gz"), gzipSync(script));
await writeFile(join(webDir, ".vite", "manifest.json"), "{}");

const { server, build } = await useHttpServer({ webDir });
const get = (url: string, headers: Record<string, string> = {}, by = server) =>
  by.inject({ method: "GET", url, headers });
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a page", () => {
  it.each([{}, { accept: "*/*" }, { accept: "application/json" }])(
    "serves the page at the root to curl and monitors, which send %j",
    async (headers) => {
      for (const method of ["GET", "HEAD"] as const) {
        const response = await server.inject({ method, url: "/?from=monitor", headers });
        expect(response.statusCode).toBe(200);
        expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
      }
    },
  );

  it.each(["/", "/o/acme/devices", "/sign-in?to=%2F", "/nothing/of/the/kind"])(
    "is at %s, with a nonce of its own",
    async (url) => {
      const pages = await Promise.all([get(url, asBrowser), get(url, asBrowser)]);
      const nonces = pages.map(({ body }) => /nonce="([^"]+)"/.exec(body)?.[1] ?? "");
      expect(new Set(nonces).size).toBe(2);
      for (const [index, page] of pages.entries()) {
        expect(page.statusCode).toBe(200);
        expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(page.headers["content-security-policy"]).toContain(
          `script-src 'self' 'nonce-${nonces[index]}'`,
        );
        expect(page.headers["cache-control"]).toBe("no-cache");
      }
    },
  );

  it("runs nothing but its own files, and cannot be framed", async () => {
    const { headers } = await get("/", asBrowser);
    const policy = String(headers["content-security-policy"]);
    for (const part of [
      "default-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" });
    expect(headers).not.toHaveProperty("strict-transport-security");
  });

  it("requires https where PUBLIC_URL has https", async () => {
    const secure = await build({ webDir, publicUrl: "https://grove.example.com" });
    expect((await get("/", asBrowser, secure)).headers).toHaveProperty("strict-transport-security");
  });

  it("has one name in local mode", async () => {
    const local = await build({ webDir, local: true });
    const response = await get("/o/acme?a=b", { ...asBrowser, host: "localhost:3000" }, local);
    expect([response.statusCode, response.headers.location]).toEqual([
      308,
      "http://127.0.0.1:3000/o/acme?a=b",
    ]);
    expect((await get("/", { ...asBrowser, host: "127.0.0.1:3000" }, local)).statusCode).toBe(200);
  });

  it.each(["/api/trpc/nothing", "/api", "/assets/gone.js", "/ready/x", "/metrics"])(
    "is not at %s",
    async (url) => {
      const response = await get(url, asBrowser);
      expect(failure(response)).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect(response.headers["cache-control"]).toBe("no-store");
    },
  );

  it("is not for programs, nor for other methods, nor under other names", async () => {
    expect((await get("/o/acme")).statusCode).toBe(404);
    expect((await server.inject({ method: "POST", url: "/", headers: asBrowser })).statusCode).toBe(404);
    expect((await get("/", { ...asBrowser, host: "evil.example" })).statusCode).toBe(421);
  });
});

describe("a file", () => {
  it("stays in caches if its name has a hash, otherwise it is asked for again", async () => {
    const hashed = await get("/assets/a.js");
    expect([hashed.body, hashed.headers["cache-control"]]).toEqual([
      script,
      "public, max-age=31536000, immutable",
    ]);
    const { headers } = await get("/theme.js");
    expect(headers["cache-control"]).toBe("no-cache");
    const again = await get("/theme.js", { "if-none-match": String(headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  it("is served as the build compressed it", async () => {
    const response = await get("/assets/a.js", { "accept-encoding": "gzip" });
    expect(response.headers["content-encoding"]).toBe("gzip");
    expect(response.rawPayload).toEqual(gzipSync(script));
  });

  it.each([
    "/.vite/manifest.json",
    "/index.html",
    "/assets/a.js.gz",
    "/assets/../index.html",
    "/assets/%2e%2e/.vite/manifest.json",
    "/assets/..%2f.vite%2fmanifest.json",
    "/assets",
    "/../package.json",
  ])("is not at %s", async (url) => {
    expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400);
  });
});

it("names another release for another build of the same version", async () => {
  const other = join(webDir, "other");
  await mkdir(other);
  await writeFile(join(other, "index.html"), '<script src="/assets/b.js" nonce="CSP_NONCE"></script>');
  const releases = await Promise.all([webDir, other, join(webDir, "nothing"), undefined].map(releaseOf));
  expect(releases[2]).toBe(releases[3]);
  expect(new Set(releases).size).toBe(3);
  for (const release of releases) expect(release).toMatch(/^\d+\.\d+\.\d+(\+[\da-f]{12})?$/);
});

it("leaves all other routes unchanged without a built console", async () => {
  const without = await build({ webDir: join(webDir, "nothing") });
  expect((await get("/", asBrowser, without)).statusCode).toBe(404);
  expect((await get("/health", asBrowser, without)).statusCode).toBe(200);
});
