import { createServer, type Server } from "node:http";
import { createLogger, createServer as createToolServer, type ToolServer } from "@grove/mcp";
import { type Chromium, startChromium } from "@grove/testing/chromium";
import type {} from "@grove/testing/context";
import { until } from "@grove/testing/until";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { about } from "../about.static";
import { keepAll } from "../access/redact";
import { Desktop, type DesktopOptions } from "../desktop";
import { tools } from "../tools";

export interface Answer {
  readonly isError: boolean;
  /** The text of the first entry. */
  readonly text: string;
  readonly images: readonly { data: string; mimeType: string }[];
}

type Args = Record<string, unknown>;

/**
 * Switches for two features of desktop apps that a headless browser lacks: a process for each site, and windows that
 * the page opens by itself.
 */
export const asApp: readonly string[] = ["--site-per-process", "--disable-popup-blocking"];

/** A client of a desktop server, and the app that the server drives. */
export class App {
  #browser: Chromium | undefined;
  #web: Server | undefined;
  readonly #files = new Map<string, { text: string; type: string }>();
  #client: Client | undefined;
  #server: ToolServer | undefined;
  desktop: Desktop | undefined;

  get browser(): Chromium {
    if (!this.#browser) throw new Error("no browser yet");
    return this.#browser;
  }

  readonly #args: readonly string[];

  /** @param args switches of the browser's command line */
  constructor(args: readonly string[] = asApp) {
    this.#args = args;
  }

  async start(): Promise<void> {
    this.#browser = await startChromium({ kind: inject("browser"), args: this.#args });
    this.#web = createServer((request, response) => {
      const file = this.#files.get(request.url ?? "");
      // Never answers.
      if (request.url === "/never") return;
      if (!file) return void response.writeHead(404).end("not here");
      response.setHeader("content-type", `${file.type}; charset=utf-8`);
      response.end(file.text);
    });
    await new Promise<void>((resolve) => this.#web?.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    await this.disconnect();
    this.#web?.closeAllConnections();
    this.#web?.close();
    await this.#browser?.stop();
  }

  /** Starts the browser again on the same port, after it was killed. */
  async restart(): Promise<void> {
    const { port } = this.browser;
    await this.browser.stop();
    this.#browser = await startChromium({ kind: inject("browser"), port, args: this.#args });
  }

  async connect(options: Partial<DesktopOptions> = {}): Promise<void> {
    const log = createLogger("error");
    this.desktop = new Desktop({ cdpUrl: this.browser.url, origins: [], redact: keepAll, log, ...options });
    const loaded = { tools, app: this.desktop };
    this.#server = createToolServer({ ...about, log, load: async () => loaded });
    this.#client = new Client({ name: "test", version: "1" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([this.#server.connect(far), this.#client.connect(near)]);
  }

  async disconnect(): Promise<void> {
    await this.#client?.close();
    await this.#server?.close();
    await this.desktop?.close();
    this.#client = undefined;
  }

  /** Calls a tool and returns any answer. */
  async call(name: string, args: Args = {}, signal?: AbortSignal): Promise<Answer> {
    if (!this.#client) await this.connect();
    const result = await this.#client?.callTool({ name, arguments: args }, undefined, signal && { signal });
    const content = result?.content as { type: string; text?: string; data?: string; mimeType?: string }[];
    const images = content
      .filter(({ type }) => type === "image")
      .map(({ data = "", mimeType = "" }) => ({ data, mimeType }));
    return { isError: result?.isError === true, text: content[0]?.text ?? "", images };
  }

  /** Calls a tool that must succeed; returns its text. */
  async do(name: string, args: Args = {}): Promise<string> {
    const { isError, text } = await this.call(name, args);
    if (isError) throw new Error(text);
    return text;
  }

  /** Calls a tool that must fail; returns its text. */
  async fail(name: string, args: Args = {}): Promise<string> {
    const { isError, text } = await this.call(name, args);
    if (!isError) throw new Error(`did not fail: ${text}`);
    return text;
  }

  /** The value of an expression in the page. */
  async value(code: string, args: Args = {}): Promise<unknown> {
    const text = await this.do("evaluate_js", { code, ...args });
    return text === "undefined" ? undefined : JSON.parse(text);
  }

  /** Serves a page. @returns its address; the host localhost is another site than 127.0.0.1 */
  page(html: string, host: "127.0.0.1" | "localhost" = "127.0.0.1"): string {
    const title = html.includes("<title>") ? "" : "<title>Test</title>";
    const text = `<!doctype html><meta charset=utf-8>${title}${html}`;
    return this.file(`/page${this.#files.size + 1}.html`, text, "text/html", host);
  }

  /** Serves a file. @returns its address */
  file(path: string, text: string, type: string, host = "127.0.0.1"): string {
    this.#files.set(path, { text, type });
    const address = this.#web?.address();
    if (typeof address !== "object" || address === null) throw new Error("no web server yet");
    return `http://${host}:${address.port}${path}`;
  }

  /** Opens a window, as the app itself would. */
  async open(url: string): Promise<void> {
    await fetch(`${this.browser.url}/json/new?${url}`, { method: "PUT" });
  }

  /** Shows a page in the app. */
  async show(html: string): Promise<string> {
    const url = this.page(html);
    await this.do("navigate", { url });
    return url;
  }
}

/** An app for a test file: one browser, and for each test a newly started server. */
export function useApp(args?: readonly string[]): App {
  const app = new App(args);
  beforeAll(() => app.start());
  afterEach(async () => {
    await app.disconnect();
    await closeWindows(app.browser.url);
  });
  afterAll(() => app.stop());
  return app;
}

/** Leaves one blank window. */
async function closeWindows(url: string): Promise<void> {
  // The test has ended the browser.
  if (!(await fetch(`${url}/json/list`).catch(() => undefined))) return;
  const blank = (await (await fetch(`${url}/json/new?about:blank`, { method: "PUT" })).json()) as {
    id: string;
  };
  const closed = async () => {
    const list = (await (await fetch(`${url}/json/list`)).json()) as { id: string; type: string }[];
    const others = list.filter(({ id, type }) => type === "page" && id !== blank.id);
    // Sent repeatedly, because a window that is navigating may miss the request.
    for (const { id } of others) await fetch(`${url}/json/close/${id}`);
    return others.length === 0;
  };
  await until(closed);
}
