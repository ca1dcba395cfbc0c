import { once } from "node:events";
import { createServer } from "node:http";
import { startChromium } from "@grove/chromium";
import type { Benchmark, Row } from "../benchmark";
import { openRawPage, type RawPage } from "../floors/cdp";
import { type McpServer, startMcpServer } from "../mcp";
import { builtProgram } from "../processes";
import type { Scope } from "../scope";
import { median } from "../stats";

const ROUNDS = 20;
/** A screen draws sixty frames a second. */
const FRAME_MS = 1_000 / 60;
const TEXT = "twenty characters ok";

/** 661 elements; the page counts what is done to it. */
const html = `<!doctype html><title>Bench</title><style>li { display: inline-block; width: 150px }</style>
<input id=field><ul>${Array.from({ length: 219 }, (_, index) => `<li><span>Row ${index}</span> <button>Edit ${index}</button></li>`).join("")}</ul>
<script>
  window.clicks = window.keys = 0;
  addEventListener("click", () => clicks++);
  addEventListener("keydown", (event) => { if (event.ctrlKey && event.key === "k") keys++; });
  console.log("one line");
</script>`;

interface Operation {
  readonly measure: string;
  raw(page: RawPage): Promise<void>;
  grove(server: McpServer): Promise<number>;
  /** What the page says was done: both sides must raise it alike. */
  readonly effect?: string;
  aim(floor: number): Row["aim"];
}

const atMost = (most: number): Row["aim"] => ({ of: "grove", atMost: Math.round(most * 10) / 10 });
const frames = (count: number) => (floor: number) => atMost(floor + count * FRAME_MS);

async function evaluated(page: RawPage, expression: string): Promise<unknown> {
  const { result } = await page.send("Runtime.evaluate", { expression, returnByValue: true });
  return (result as { value: unknown }).value;
}

async function rawClick(page: RawPage, x: number, y: number): Promise<void> {
  const at = { x, y, button: "left", clickCount: 1 };
  for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
    await page.send("Input.dispatchMouseEvent", { ...at, type });
}

const middleOf = (name: string) =>
  `(() => { const box = [...document.querySelectorAll("button")].find((b) => b.textContent === ${JSON.stringify(name)}).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; })()`;

const walk = `JSON.stringify([...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility()).map((e) => {
  const b = e.getBoundingClientRect();
  return [e.localName, e.children.length ? "" : e.textContent, Math.round(b.x), Math.round(b.y), Math.round(b.width), Math.round(b.height)];
}))`;

function operationsOn(url: string): Operation[] {
  let ref = "";
  const bytes = async (server: McpServer, name: string, args: object) =>
    (await server.call(name, args)).bytes;
  return [
    {
      measure: "find and click",
      async raw(page) {
        const [x, y] = (await evaluated(page, middleOf("Edit 40"))) as [number, number];
        await rawClick(page, x, y);
      },
      grove: (server) => bytes(server, "click", { text: "Edit 40" }),
      effect: "clicks",
      aim: frames(2),
    },
    {
      measure: "click, known",
      raw: (page) => rawClick(page, 60, 60),
      async grove(server) {
        ref ||=
          /(\d*e\d+) button "Edit 50"/.exec(
            (await server.call("inspect_dom", { text: "Edit 50" })).text,
          )?.[1] ?? "";
        return bytes(server, "click", { ref });
      },
      effect: "clicks",
      aim: frames(2),
    },
    {
      measure: "type 20 characters",
      async raw(page) {
        await page.send("Runtime.evaluate", { expression: "field.focus(); field.value = ''" });
        for (const text of TEXT) {
          await page.send("Input.dispatchKeyEvent", { type: "keyDown", text, key: text });
          await page.send("Input.dispatchKeyEvent", { type: "keyUp", key: text });
        }
      },
      grove: (server) => bytes(server, "type_text", { selector: "#field", text: TEXT, clearFirst: true }),
      effect: "field.value",
      aim: frames(1),
    },
    {
      measure: "key combination",
      async raw(page) {
        const control = { key: "Control", windowsVirtualKeyCode: 17 };
        const k = { key: "k", windowsVirtualKeyCode: 75, modifiers: 2 };
        await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...control, modifiers: 2 });
        await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...k });
        await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...k });
        await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...control });
      },
      grove: (server) => bytes(server, "send_keys", { keys: ["Control+k"] }),
      effect: "keys",
      aim: frames(1),
    },
    {
      measure: "evaluate 1 + 1",
      raw: async (page) => void (await evaluated(page, "1 + 1")),
      grove: (server) => bytes(server, "evaluate_js", { code: "1 + 1" }),
      aim: (floor) => atMost(floor + 2),
    },
    {
      measure: "console",
      raw: async (page) => void (await evaluated(page, "0")),
      grove: (server) => bytes(server, "get_console_logs", {}),
      aim: () => atMost(1.5),
    },
    {
      measure: "snapshot of all",
      raw: async (page) => void (await evaluated(page, walk)),
      grove: (server) => bytes(server, "inspect_dom", { maxElements: 1_000 }),
      aim: () => ({ of: "ratio", atMost: 2 }),
    },
    {
      measure: "screenshot",
      raw: async (page) => void (await page.send("Page.captureScreenshot", { format: "png" })),
      grove: (server) => bytes(server, "take_screenshot", {}),
      aim: () => ({ of: "ratio", atMost: 1 }),
    },
    {
      measure: "navigate, loaded",
      async raw(page) {
        const loaded = page.event("Page.loadEventFired");
        await page.send("Page.navigate", { url });
        await loaded;
      },
      grove: (server) => bytes(server, "navigate", { url }),
      aim: () => ({ of: "ratio", atMost: 1.2 }),
    },
  ];
}

async function servePage(scope: Scope): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scope.defer(() => server.closeAllConnections());
  scope.defer(() => server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return `http://127.0.0.1:${address.port}/`;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export const desktop: Benchmark = {
  name: "desktop",
  summary: "mcp-desktop: each operation on a page of 661 elements",
  async run({ scope, rounds = ROUNDS, progress }) {
    const browser = await startChromium();
    scope.defer(() => browser.stop());
    const url = await servePage(scope);
    const page = await openRawPage(scope, browser.url);
    const server = await startMcpServer(scope, [builtProgram("mcp-desktop")], {
      CDP_URL: browser.url,
      LOG_LEVEL: "error",
    });
    await server.call("navigate", { url });
    const rows: Row[] = [];
    const sizes: string[] = [];
    for (const operation of operationsOn(url)) {
      progress(operation.measure);
      const samples: { floor: number; grove: number }[] = [];
      let bytes = 0;
      for (let round = 0; round <= rounds; round++) {
        const effect = operation.effect === undefined ? "0" : operation.effect;
        const before = await evaluated(page, effect);
        const floor = await time(() => operation.raw(page));
        const between = await evaluated(page, effect);
        const grove = await time(async () => {
          bytes = await operation.grove(server);
        });
        const after = await evaluated(page, effect);
        if (operation.effect !== undefined) checkEffect(operation.measure, before, between, after);
        // The first round prepares the document.
        if (round > 0) samples.push({ floor, grove });
      }
      const floor = median(samples.map((sample) => sample.floor));
      const aim = operation.aim(floor);
      rows.push({
        measure: `${operation.measure}, ms`,
        floor,
        grove: median(samples.map((sample) => sample.grove)),
        ratio: median(samples.map((sample) => sample.grove / sample.floor)),
        ...(aim && { aim }),
      });
      sizes.push(`${operation.measure} ${bytes}`);
    }
    return {
      title: "mcp-desktop through MCP, with all its waiting and checking; floor: raw CDP without any",
      rows,
      notes: [
        `Medians of ${rounds} rounds in turns, the same page and browser.`,
        `Bytes of an answer: ${sizes.join(", ")}.`,
      ],
    };
  },
};

/** Both sides must have done the same to the page. */
function checkEffect(measure: string, before: unknown, between: unknown, after: unknown): void {
  const did =
    typeof before === "number"
      ? Number(between) - before === 1 && Number(after) - Number(between) === 1
      : after === TEXT && between === TEXT;
  if (!did) throw new Error(`${measure}: the page went from ${before} to ${between} and ${after}.`);
}
