import { describe, expect, it } from "vitest";
import { readCredential, refuseStranger } from "./access";

describe("refuseStranger", () => {
  const status = (headers: { host?: string; origin?: string }, publicUrl?: string) =>
    refuseStranger(headers, publicUrl)?.status;

  it.each(["localhost", "localhost:3001", "127.0.0.1:80", "[::1]:3001", "LOCALHOST:1"])(
    "accepts %s",
    (host) => {
      expect(status({ host })).toBeUndefined();
      expect(status({ host, origin: `http://${host}` })).toBeUndefined();
    },
  );

  it.each([
    [{}, 421],
    [{ host: "" }, 421],
    [{ host: "evil.example.com" }, 421],
    [{ host: "localhost.evil.example.com:3001" }, 421],
    [{ host: "evil.example.com@localhost" }, 421],
    [{ host: "127.0.0.1.nip.io" }, 421],
    [{ host: "localhost", origin: "http://evil.example.com" }, 403],
    [{ host: "localhost", origin: "null" }, 403],
    [{ host: "localhost", origin: "file://localhost" }, 403],
  ])("refuses %j", (headers, code) => {
    expect(status(headers)).toBe(code);
  });

  it("accepts a default port, written or left out", () => {
    const publicUrl = "https://mcp.example.com";
    expect(status({ host: "MCP.example.com" }, publicUrl)).toBeUndefined();
    expect(status({ host: "mcp.example.com:443" }, publicUrl)).toBeUndefined();
    expect(status({ host: "mcp.example.com:8443" }, publicUrl)).toBe(421);
  });

  it("accepts its public address, with its port and scheme", () => {
    const publicUrl = "https://mcp.example.com:8443/grove";
    expect(status({ host: "mcp.example.com:8443" }, publicUrl)).toBeUndefined();
    expect(status({ host: "mcp.example.com" }, publicUrl)).toBe(421);
    const origin = "https://mcp.example.com:8443";
    expect(status({ host: "mcp.example.com:8443", origin }, publicUrl)).toBeUndefined();
    expect(status({ host: "localhost", origin: "http://mcp.example.com:8443" }, publicUrl)).toBe(403);
  });
});

describe("readCredential", () => {
  it("reads a Bearer credential", () => {
    expect(readCredential("Bearer grk_a")).toEqual({ credential: "grk_a" });
    expect(readCredential("bearer  grk_a")).toEqual({ credential: "grk_a" });
  });

  it.each([undefined, "", "Bearer", "Bearer a b", "Basic YTpi", `Bearer ${"x".repeat(5000)}`])(
    "refuses %j",
    (given) => {
      expect(readCredential(given)).toMatchObject({
        status: 401,
        headers: { "www-authenticate": expect.stringMatching(/^Bearer/) },
      });
    },
  );
});
