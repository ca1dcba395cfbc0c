import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

/** Shows a page whose button runs code, then changes the title. */
async function showButton(code: string): Promise<void> {
  const loud = `<title>Loud</title><script>document.title = confirm("Sure?")</script>`;
  app.file("/loud.html", `<!doctype html>${loud}`, "text/html");
  app.file("/open.js", `function go() { ${code}; document.title = "went on"; }`, "text/javascript");
  await app.show(`<script src=/open.js></script><a href=/loud.html target=_blank>Link</a>
    <button onclick="go()">Open</button>`);
}

describe("a dialog that a window opens as its first act", () => {
  const ways = {
    "by its opener": "window.open('').confirm('Sure?')",
    "while it loads": "window.open('/loud.html')",
    "by its address": "window.open('javascript:confirm(\"Sure?\")')",
    "by what its opener writes": "window.open('').document.write('<script>confirm(\"Sure?\")<\\/script>')",
    "by its opener's timer": "setTimeout(() => window.open('').confirm('Sure?'))",
    "in a window of its own": "window.open('').open('').confirm('Sure?')",
  };
  it.each(Object.entries(ways))("is answered and reported by the call: %s", async (_, way) => {
    await showButton(way);
    const clicked = await app.do("click", { text: "Open", dialog: "accept" });
    expect(clicked).toMatch(/A confirm dialog saying "Sure\?" opened in window w\d+ and was accepted\./);
    expect(clicked).toMatch(/A new window w\d+ opened/);
    expect(await app.value("document.title")).toBe("went on");
  });

  it("by evaluated code is answered and reported", async () => {
    await showButton("");
    const evaluated = await app.do("evaluate_js", {
      code: "window.answer = window.open('').confirm('Sure?')",
    });
    expect(evaluated).toMatch(/A confirm dialog saying "Sure\?" opened in window w\d+ and was dismissed\./);
    expect(await app.value("answer")).toBe(false);
  });

  it("in a process of its own is answered, and reported by that call or the next", async () => {
    await showButton("");
    let results = await app.do("click", { text: "Link", dialog: "accept" });
    await expect
      .poll(async () => {
        results += await app.do("get_window_info");
        return results;
      })
      .toMatch(/A confirm dialog saying "Sure\?" opened in window w\d+ and was accepted\./);
    expect(await app.do("get_window_info")).toContain('page "true"');
  });
});

it("answers a dialog that evaluated code opens a moment later", async () => {
  await app.show("<title>Test</title>");
  const code = "setTimeout(() => { window.answer = confirm('Sure?') }, 30); 0";
  expect(await app.do("evaluate_js", { code, dialog: "accept" })).toContain(
    'A confirm dialog saying "Sure?" opened and was accepted.',
  );
  expect(await app.value("answer")).toBe(true);
});

it("lets windows beyond those that it attaches to run", async () => {
  await app.show("<title>First</title>");
  const url = app.page("<title>Ran</title>");
  await app.do("evaluate_js", { code: `for (let i = 0; i < 24; i++) window.open("${url}"); 0` });
  await expect.poll(async () => (await app.do("get_window_info")).match(/"Ran"/g)?.length).toBe(24);
});
