import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { Integrations } from "./integrations";
import { excerptOfLog } from "./logExcerpt";
import type { CheckLogOutcome } from "./ports";
import { type HostedCheck, HostedRepository, useProviders } from "./testing";

const { servers, options, access } = await useProviders();
const integrations = new Integrations(options);
afterAll(() => integrations.close());

const head = "a".repeat(40);
let number = 0;

const textOf = (read: CheckLogOutcome) =>
  read.outcome === "read" ? excerptOfLog(read.log, []) : read.outcome;

describe.each(["github", "gitlab"] as const)("%s", (provider) => {
  let hosted: HostedRepository;

  beforeEach(() => {
    number += 1;
    hosted = new HostedRepository("acme", `logs-${number}`);
    hosted.branches.set("work", head);
    hosted.open({ title: "Work", body: "", head: "work", base: "main", draft: false });
    servers[provider].state.hosted.push(hosted);
    servers[provider].override = undefined;
    servers.github.storage.override = undefined;
  });

  const readLog = (check: Partial<HostedCheck>, from = integrations) => {
    const word = provider === "github" ? "failure" : "failed";
    hosted.checks.set(head, [{ name: "test", word, required: true, ...check }]);
    const repo = { owner: hosted.owner, name: hosted.name };
    return from.call("codehost", access[provider], async (port) => {
      const { checks } = await port.pullStatus(repo, 1);
      return port.readCheckLog(repo, checks[0]?.id ?? "");
    });
  };

  it("reads the log of a job", async () => {
    expect(textOf(await readLog({ log: "first\nsecond\n" }))).toBe("first\nsecond");
  });

  it("keeps the end of a log of 20 MB, and counts the lines before it", async () => {
    const line = `${"x".repeat(99)}\n`;
    const log = `${line.repeat(200_000)}the end\n`;
    const read = await readLog({ log });
    const lines = textOf(read).split("\n");
    expect(lines.at(-1)).toBe("the end");
    expect(Buffer.byteLength(textOf(read))).toBeLessThanOrEqual(6 * 1024);
    expect(lines[0]).toBe(`… ${200_001 - (lines.length - 1)} lines omitted`);
  });

  it("does not read a log to its end that is longer than 25 MB", async () => {
    expect(await readLog({ log: "x\n".repeat(14 * 1024 * 1024) })).toEqual({ outcome: "log_elsewhere" });
  });

  it("reports that the log was deleted, or is empty", async () => {
    expect(await readLog({})).toEqual({ outcome: "log_gone" });
    expect(await readLog({ log: "\n" })).toEqual({ outcome: "log_gone" });
  });

  it("reports that the log breaks off", async () => {
    const server = provider === "github" ? servers.github.storage : servers.gitlab;
    server.isCut = ({ path }) => /\/(log|trace)\b/.test(path);
    await expect(readLog({ log: "x".repeat(1_000) })).rejects.toMatchObject({ failure: "bad_answer" });
    server.isCut = undefined;
  });

  it("leaves a lack of permission to the caller", async () => {
    servers[provider].override = ({ path }) =>
      /\/(logs|trace)$/.test(path) ? { status: 403, json: { message: "Not yours" } } : undefined;
    await expect(readLog({ log: "x" })).rejects.toMatchObject({ failure: "forbidden", detail: "Not yours" });
  });
});

describe("github's storage of logs", () => {
  const { storage } = servers.github;
  let hosted: HostedRepository;
  const check = { name: "test", word: "failure", required: true, log: "the log" };
  const readLog = (from = integrations) =>
    from.call("codehost", access.github, async (port) => {
      const repo = { owner: hosted.owner, name: hosted.name };
      const { checks } = await port.pullStatus(repo, 1);
      return port.readCheckLog(repo, checks[0]?.id ?? "");
    });

  beforeEach(() => {
    number += 1;
    hosted = new HostedRepository("acme", `stored-${number}`);
    hosted.branches.set("work", head);
    hosted.open({ title: "Work", body: "", head: "work", base: "main", draft: false });
    hosted.checks.set(head, [check]);
    servers.github.state.hosted.push(hosted);
    servers.github.override = undefined;
    Object.assign(storage, { override: undefined, received: [] });
  });

  it("gets no credentials", async () => {
    expect(textOf(await readLog())).toBe("the log");
    expect(storage.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each([404, 410])("has no log any longer: status %s", async (status) => {
    storage.override = () => ({ status, text: "<Error/>" });
    expect(await readLog()).toEqual({ outcome: "log_gone" });
  });

  it.each([401, 403])("refuses with status %s, which is not about the connection", async (status) => {
    storage.override = () => ({ status, text: "<Error/>" });
    await expect(readLog()).rejects.toMatchObject({ failure: "unavailable" });
  });

  it("does not redirect to a third origin", async () => {
    storage.override = () => ({ status: 302, headers: { location: servers.gitlab.url } });
    servers.gitlab.received = [];
    await expect(readLog()).rejects.toMatchObject({ failure: "bad_answer" });
    expect(servers.gitlab.received).toEqual([]);
  });

  it("is not reached at a private address", async () => {
    const host = new URL(storage.url).host;
    const outside = options.privateHosts.filter((one) => one !== host);
    const strict = new Integrations({ ...options, privateHosts: outside });
    const location = (to: string) => {
      servers.github.override = ({ path }) =>
        path.endsWith("/logs") ? { status: 302, headers: { location: to } } : undefined;
    };
    for (const to of [
      storage.url,
      "https://169.254.169.254/latest",
      "https://localhost:8443/",
      "file:///etc/passwd",
    ]) {
      location(to);
      await expect(readLog(strict)).rejects.toMatchObject({ failure: "address_refused" });
    }
    expect(storage.received).toEqual([]);
    await strict.close();
  });

  it("has no log of another app, whose report is read instead", async () => {
    const report = { summary: "2 problems", annotations: ["Unused variable"] };
    hosted.checks.set(head, [{ ...check, report }]);
    expect(textOf(await readLog())).toBe("2 problems\nsrc/a.ts:3: failure Unused variable");
    hosted.checks.set(head, [{ ...check, report: { summary: null, annotations: [] } }]);
    expect(await readLog()).toEqual({ outcome: "log_elsewhere" });
  });
});
