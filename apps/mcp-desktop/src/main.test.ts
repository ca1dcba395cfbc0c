import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { timeoutSignal } from "@grove/signals";
import { freePort } from "@grove/testing/freePort";
import { isRunning } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "./testing/app";
import { connectProgram, run } from "./testing/program";
import { tools } from "./tools";

const app = useApp();

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { isError: isError === true, text: (content as { text: string }[])[0]?.text ?? "" };
}

async function file(content: string): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "secrets.env"), content);
  return join(directory, "secrets.env");
}

describe("the built program", () => {
  // Contract: desktop.version
  it("introduces itself and lists its tools without the app", async () => {
    const client = await connectProgram({ CDP_URL: `http://127.0.0.1:${await freePort()}` });
    expect(client.getServerVersion()).toEqual({ name: "desktop-automation", version: "0.1.0" });
    expect(client.getInstructions()?.split(" ").length).toBeLessThan(120);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(await call(client, "inspect_dom")).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^app_unreachable: /),
    });
  });

  it("drives the app, from its one file", async () => {
    await app.show(`<button onclick="document.title = 'pressed'">Press</button>`);
    const client = await connectProgram({ CDP_URL: app.browser.url });
    expect((await call(client, "click", { text: "press" })).text).toMatch(/^Clicked <button> "Press"/);
    expect((await call(client, "get_window_info")).text).toContain('"pressed"');
    expect((await call(client, "click", { txt: "x" })).text).toMatch(
      /^invalid_input: unknown argument "txt"; expected selector \(optional\), text/,
    );
  });

  it("ends a call on a page that still answers when it begins to navigate, and no longer a moment later", async () => {
    const asked: ServerResponse[] = [];
    const slow = createServer((_, response) => asked.push(response)).listen(0, "127.0.0.1");
    onTestFinished(() => {
      slow.closeAllConnections();
      slow.close();
    });
    await once(slow, "listening");
    const next = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/next`;
    // The browser asks the frame of another site before it leaves, and passes messages on to the page until it answers.
    const busy = app.page(
      "<script>onbeforeunload = () => { for (const end = Date.now() + 800; Date.now() < end; ); };</script>",
      "localhost",
    );
    await app.show(`<iframe src="${busy}"></iframe>`);
    const client = await connectProgram({ CDP_URL: app.browser.url });
    await call(client, "evaluate_js", { code: `setTimeout(() => { location = "${next}"; }, 500); 0` });
    const absent = { name: "click", arguments: { text: "Absent", timeoutMs: 30_000 } };
    const { content } = await client.callTool(absent, undefined, { signal: timeoutSignal(20_000) });
    expect(content).toMatchObject([
      { text: expect.stringMatching(/^navigation_pending: The page waits for \S+\/next, \d s so far/) },
    ]);
    expect(asked).toHaveLength(1);
    asked[0]?.setHeader("content-type", "text/html").end("<title>Next</title>");
    await expect.poll(async () => (await call(client, "get_window_info")).text).toContain('"Next"');
    expect(await call(client, "evaluate_js", { code: "document.title" })).toMatchObject({ text: '"Next"' });
  });

  it("offers only what the command line and the environment leave", async () => {
    const names = async (argv: string[], env = {}) =>
      (await (await connectProgram(env, argv)).listTools()).tools.map(({ name }) => name);
    expect(await names(["--no-evaluate"])).not.toContain("evaluate_js");
    const looking = ["take_screenshot", "inspect_dom", "get_console_logs", "get_window_info"];
    expect(await names(["--read-only"])).toEqual(looking);
    expect(await names([], { READ_ONLY: "true" })).toEqual(looking);
    expect(await names(["--tools", "click"])).toEqual(["click"]);
    const client = await connectProgram({ CDP_URL: app.browser.url }, ["--no-evaluate"]);
    await expect(call(client, "evaluate_js", { code: "1" })).rejects.toThrow(/Unknown tool: "evaluate_js"/);
  });

  it("takes pictures but writes no file if it is read-only", async () => {
    await app.show("Picture");
    const client = await connectProgram({ CDP_URL: app.browser.url }, ["--read-only"]);
    expect((await call(client, "take_screenshot", { path: "/tmp/x.png" })).text).toMatch(
      /^invalid_input: unknown argument "path"/,
    );
    expect((await call(client, "take_screenshot")).text).toMatch(/^Screenshot \d+x\d+ png/);
  });

  it("replaces secrets in every output", async () => {
    const secrets = await file(
      `# of the test account\nPASSWORD="p4ss word/é"\nexport TOKEN=tok_0123456789\n`,
    );
    await app.show(`<p>token tok_0123456789</p><input id=f value="p4ss word/é"><title>tok_0123456789</title>
      <script>console.log("logged p4ss word/é")</script><a href="/?q=p4ss%20word%2F%C3%A9">Link</a><p>${"x".repeat(92)} tok_0123456789</p>`);
    const client = await connectProgram({ CDP_URL: app.browser.url }, ["--secrets", secrets]);
    const outputs = await Promise.all([
      call(client, "inspect_dom"),
      call(client, "get_console_logs"),
      call(client, "get_window_info"),
      call(client, "evaluate_js", { code: "[f.value, document.querySelector('a').href]" }),
      call(client, "evaluate_js", { code: "throw new Error(f.value)" }),
      call(client, "click", { text: "token", index: 7, timeoutMs: 0 }),
    ]);
    const all = outputs.map(({ text }) => text).join("\n");
    expect(all).not.toMatch(/tok_|p4ss/);
    expect(all).toContain('="<secret:PASSWORD>"');
    expect(all).toContain("logged <secret:PASSWORD>");
    expect(all).toContain('"token <secret:TOKEN>"');
  });

  it.each([
    [["--secrets", "/no/such/file"], "--secrets /no/such/file: ENOENT"],
    [["--allow-origin", "example"], "--allow-origin: example is not an origin such as https://example.com"],
  ])("refuses %j", async (argv, reason) => {
    const { stdout, stderr, code } = await run(argv);
    expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
    expect(stderr).toContain(reason);
  });

  it("reports where a secrets file is wrong, but not its content", async () => {
    const { stderr, code } = await run(["--secrets", await file("A=long enough\nhunter2hunter2\n")]);
    expect(code).toBe(1);
    expect(stderr).toContain("line 2 is not NAME=value");
    expect(stderr).not.toContain("hunter2");
  });

  it("starts a browser of its own, which ends with it", async () => {
    const launched = await run(["--launch", "--headless"], { CHROMIUM_PATH: "/bin/false" });
    expect(launched.code).toBe(0);
    const client = await connectProgram({ CHROMIUM_PATH: "/bin/false" }, ["--launch", "--headless"]);
    expect((await call(client, "get_window_info")).text).toMatch(
      /^not_launched: \/bin\/false did not start \(exit code 1/,
    );
  });

  it.each(["end of stdin", "SIGTERM", "SIGKILL"] as const)(
    "leaves neither browser nor profile after %s",
    async (how) => {
      const directory = await temporaryDirectory();
      const { path, env } = app.browser.program;
      const client = await connectProgram({ ...env, CHROMIUM_PATH: path, TMPDIR: directory }, [
        "--launch",
        "--headless",
      ]);
      const url = app.page(`<title>Opener</title><script>window.open("about:blank")</script>`);
      expect((await call(client, "navigate", { url })).text).toContain('"Opener"');
      await expect.poll(async () => (await call(client, "get_window_info")).text).toMatch(/^2 windows\.\n/);
      const profiles = () => readdir(directory);
      expect(await profiles()).toContainEqual(expect.stringMatching(/^grove-desktop-/));
      const { pid } = client.transport as { pid?: number };
      if (how === "end of stdin") await client.close();
      else process.kill(pid as number, how);
      await expect.poll(profiles).toEqual([]);
    },
  );

  it.each(["end of stdin", "SIGTERM"] as const)("ends after %s, and the app does not", async (how) => {
    const client = await connectProgram({ CDP_URL: app.browser.url });
    await call(client, "get_window_info");
    const { pid } = client.transport as { pid?: number };
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    if (how === "end of stdin") await client.close();
    else process.kill(pid as number, how);
    await closed;
    expect(isRunning(pid as number)).toBe(false);
    expect((await fetch(`${app.browser.url}/json/version`)).ok).toBe(true);
  });
});

describe("doctor", () => {
  it("reports what it sees, and which window it would choose", async () => {
    const url = await app.show("<title>Main window</title>");
    const { stdout, stderr, code } = await run(["doctor"], { CDP_URL: app.browser.url, LOG_LEVEL: "error" });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(
      new RegExp(
        `^ok: ${app.browser.url} answers \\(\\S*Chrom\\S+, protocol 1\\.3\\)\n {2}w1 page .* ${url}\nok: tools act on w1 by default\n$`,
      ),
    );
  });

  it("reports what to do when nothing answers, or no window matches", async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    const nothing = await run(["doctor"], { CDP_URL: closed, LOG_LEVEL: "error" });
    expect(nothing).toMatchObject({ code: 1, stdout: "" });
    expect(nothing.stderr).toContain(`failed: no Chromium answers at ${closed} (ECONNREFUSED)`);
    const none = await run(["doctor"], { CDP_URL: app.browser.url, APP_URL: "nowhere", LOG_LEVEL: "error" });
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('failed: No window of the app has the address "nowhere"');
  });
});
