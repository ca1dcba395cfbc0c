import { expect, inject, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const page = `<a href="grove-unknown://open/this">Desktop</a><button onclick="document.title = 'clicked'">Go</button><input id=f>
  <div id=d draggable=true>Card</div>`;

/** Only a headed browser shows prompts. */
const hasPrompts = inject("browser") === "installed";

async function openPrompt(): Promise<void> {
  await app.show(page);
  expect(await app.do("click", { text: "Desktop" })).toMatch(
    /\nThe page asked for grove-unknown:\/\/open\/this, which another program opens\./,
  );
}

it.each([
  ["click", { text: "Go" }],
  ["click", { x: 100, y: 20 }],
  ["click", { text: "Go", count: 2 }],
  ["click", { text: "Go", button: "right" }],
  ["click", { selector: "#f", button: "none" }],
  ["send_keys", { keys: ["a"] }],
  ["type_text", { selector: "#f", text: "abc" }],
  ["drag", { from: "100,20", to: "+50,+0" }],
])("is reported as missing when a prompt of the browser takes it: %s %j", async (tool, args) => {
  await openPrompt();
  if (!hasPrompts) return;
  const lost =
    /^not_delivered: The page did not receive the (click|pointer|keys)\. A prompt of the browser's own is probably open/;
  // The prompt opens a moment after the request.
  await expect.poll(async () => (await app.call("click", { text: "Go" })).text).toMatch(lost);
  expect(await app.fail(tool, args)).toMatch(lost);
});

// Each test has its own browser, whose prompt takes the next click.
it("reports an address for another program that a frame requests", async () => {
  const inner = app.page(`<a href="tel:123">Call</a>`, "localhost");
  await app.show(`<iframe src="${inner}"></iframe>`);
  expect(await app.do("click", { text: "Call" })).toContain("The page asked for tel:123, which");
});

it("reports an address for another program that a script requests", async () => {
  await app.show(`<button onclick="location.href = 'mailto:a@b.example'">Write</button>`);
  expect(await app.do("click", { text: "Write" })).toContain("The page asked for mailto:a@b.example, which");
});

it("is not reported as missing when the page hides it from others", async () => {
  await app.show(`<script>
      for (const type of ["pointerdown", "mousedown", "mouseup", "click", "mousemove", "keydown", "keyup"])
        window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
    </script><button>Go</button><input id=f>`);
  await app.do("click", { text: "Go", button: "none" });
  await app.do("click", { text: "Go" });
  await app.do("send_keys", { keys: ["a"] });
  await app.do("type_text", { selector: "#f", text: "abc" });
});

it("is not reported as missing when a list of options takes it", async () => {
  await app.show(`<select id=s><option>One<option>Two</select>`);
  await app.do("click", { selector: "#s" });
  await app.do("send_keys", { keys: ["ArrowDown", "Enter"] });
});

it("is not reported as missing when a frame receives it", async () => {
  const inner = app.page(`<body style="margin:0"><button>Inner</button>`, "localhost");
  await app.show(`<iframe src="${inner}" style="border:0"></iframe><div id=host></div><script>
      host.attachShadow({ mode: "closed" }).innerHTML = "<iframe srcdoc='<button>Hidden</button>' style='border:0'></iframe>";
    </script>`);
  await expect.poll(() => app.do("inspect_dom")).toContain("Inner");
  await app.do("click", { x: 20, y: 20 });
  const y = await app.value("host.getBoundingClientRect().top + 20");
  await app.do("click", { x: 30, y });
});
