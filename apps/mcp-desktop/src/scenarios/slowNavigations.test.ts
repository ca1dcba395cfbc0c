import { timeoutSignal } from "@grove/signals";
import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { Relay } from "../testing/relay";

const app = useApp();

/** An address that never answers. */
const never = () => new URL("/never", app.page("")).href;

describe("a page that waits for another", () => {
  it("is reported as such, keeps no call waiting for long, and may stay", async () => {
    const url = await app.show(`<a href="${never()}">Slow</a><button>Here</button>`);
    expect(await app.do("click", { text: "Slow" })).toMatch(
      new RegExp(`^Clicked <a> "Slow" .*\\nThe page waits for ${never()}, 5 s so far\\.$`),
    );
    const pending = `navigation_pending: The page waits for ${never()}, `;
    expect(await app.fail("inspect_dom")).toContain(pending);
    expect(await app.fail("evaluate_js", { code: "1", timeoutMs: 100 })).toContain(pending);
    expect(await app.do("get_window_info")).toContain(`waits for ${never()}, `);
    expect(await app.fail("navigate", { url: never(), timeoutMs: 300 })).toMatch(
      /^timed_out: The page had not reached load after 300 ms, and waits for .*, 0 s so far\. .*"stop"/,
    );
    expect(await app.do("navigate", { action: "stop" })).toBe(
      `${never()} was given up; the page stayed "Test" at ${url}.`,
    );
    await app.do("click", { text: "Here" });
    expect(await app.do("navigate", { action: "stop" })).toBe(`Stopped loading "Test" at ${url}.`);
  });

  it("can navigate to another address", async () => {
    await app.show(`<a href="${never()}">Slow</a>`);
    await app.value("document.querySelector('a').click()");
    await expect.poll(() => app.do("get_window_info")).toContain("waits for");
    expect(await app.do("navigate", { url: app.page("<title>Quick</title>") })).toContain('"Quick"');
  });

  it("may go elsewhere by itself before it arrives", async () => {
    const own = app.page("<title>Own</title>");
    await app.show(`<button>Go</button><script>
      addEventListener('beforeunload', () => { setTimeout(() => { location = '${own}'; }); }, { once: true });
      </script>`);
    // Without a click, the browser would prefer the navigation of its user.
    await app.do("click", { text: "Go" });
    expect(await app.fail("navigate", { url: never() })).toMatch(
      new RegExp(`^navigation_stopped: The page did not navigate to ${never()}, but to ${own}\\. `),
    );
  });

  it("does not wait for an address if its user decides to stay", async () => {
    const next = app.page("<title>Next</title>");
    await app.show(`<input id=f><a href="${next}">Leave</a>
      <script>onbeforeunload = (event) => event.preventDefault();</script>`);
    await app.do("type_text", { selector: "#f", text: "draft" });
    expect(await app.do("click", { text: "Leave" })).toMatch(
      /^Clicked <a> "Leave" [^\n]*\nA beforeunload dialog opened and was dismissed\. [^\n]*$/,
    );
    expect(await app.do("click", { text: "Leave", dialog: "accept" })).toContain('"Next"');
  });
});

describe("an action that leads to a page that does not come", () => {
  const stays = /\nThe page waits for \S+\/never, 5 s so far\.$/;
  const stop = () => app.do("navigate", { action: "stop" });
  const refOf = async (line: string) =>
    new RegExp(`(\\d*e\\d+) .*${line}`).exec(await app.do("inspect_dom"))?.[1];

  it("is reported: typing, and the key after it is not pressed", async () => {
    await app.show(`<input id=f oninput="if (value.length === 4) location = '${never()}'">`);
    expect(await app.do("type_text", { selector: "#f", text: "1234", submitKey: "Enter" })).toMatch(
      /^Typed .*into <input> .*, and did not press Enter\.\nThe page waits for \S+, 5 s so far\.$/,
    );
    await stop();
    expect(await app.value("f.value")).toBe("1234");
  });

  it("is reported: a drop, and the pointer is free again", async () => {
    await app.show(`<p draggable=true>Card</p><p tabindex=0 ondragover="event.preventDefault()"
      ondrop="event.preventDefault(); location = '${never()}'">Bin</p><button onclick="document.title = 1">Go</button>`);
    expect(await app.do("drag", { from: await refOf('"Card"'), to: await refOf('"Bin"') })).toMatch(stays);
    await stop();
    await app.do("click", { text: "Go" });
    expect(await app.value("document.title")).toBe("1");
  });

  it("is reported: a turn of the wheel", async () => {
    await app.show(
      `<div style="height:4000px">Tall</div><script>onscroll = () => { location = '${never()}'; };</script>`,
    );
    expect(await app.do("scroll", { y: 300 })).toMatch(
      /^Turned the wheel at \(\d+, \d+\)\.\nThe page waits for \S+, 5 s so far\.$/,
    );
    await stop();
  });

  it("ends a call during which the page navigates away", async () => {
    // The button is removed before it can be pressed, so the call still waits for it when the page leaves.
    await app.show(`<button onmousemove="location = '${never()}'; remove()">Hover</button>`);
    const ends = timeoutSignal(10_000);
    expect((await app.call("click", { text: "Hover", timeoutMs: 15_000 }, ends)).text).toMatch(
      /^navigation_pending: The page waits for \S+\/never, 5 s so far, and cannot be used until then\./,
    );
    await stop();
  });
});

it.each([{ modifiers: ["ControlOrMeta"] }, { modifiers: ["Shift"] }, { button: "middle" }])(
  "a link that opens in another window leaves the page where it is: %j",
  async (how) => {
    await app.show(`<a href="${app.page("<title>Other</title>")}">Link</a><button>Here</button>`);
    let answer = await app.do("click", { text: "Link", ...how });
    await expect
      .poll(async () => {
        answer += await app.do("click", { text: "Here", windowId: "w1" });
        return answer;
      })
      .toMatch(/A new window w\d+ opened/);
    expect(answer).not.toContain("waits for");
  },
);

describe("a page that hangs", () => {
  it.each([
    ["inspect_dom", {}],
    ["click", { text: "Go" }],
    ["take_screenshot", {}],
    ["evaluate_js", { code: "1 + 1", timeoutMs: 30_000 }],
  ])("is reported long before the call's time is over: %s", async (tool, input) => {
    await app.show("<title>Busy</title><button>Go</button>");
    await app.value("setTimeout(() => { for (;;); }); 0");
    const short = new AbortController();
    const { text } = await app.call(tool, input, timeoutSignal(8_000, undefined, short));
    expect(text).toMatch(/^page_unresponsive: The page does not answer\..* If it is only busy, call again\./);
    expect(await app.do("navigate", { action: "reload" })).toMatch(/^Now "Busy"/);
  });

  it("is not queried for long again, and its own script is not stopped by mistake", async () => {
    await app.show("<title>Busy</title>");
    await app.value("setTimeout(() => { for (;;); }); 0");
    expect(await app.fail("evaluate_js", { code: "1 + 1", timeoutMs: 200 })).toMatch(
      /^page_unresponsive: The page does not answer\. It may be stuck in a loop/,
    );
    // If it had not been silent before, a call would query it for the whole of its time.
    const short = new AbortController();
    const ends = timeoutSignal(8_000, undefined, short);
    const { text } = await app.call("inspect_dom", {}, ends);
    expect(text).toMatch(/^page_unresponsive/);
    expect(await app.do("navigate", { action: "reload" })).toContain('"Busy"');
    expect(await app.value("1 + 1")).toBe(2);
  });
});

describe("a page that prints", () => {
  /**
   * A headless browser has no print preview. The relay imitates one by renaming a window, together with a page that
   * hangs.
   */
  it("is reported as such until it is loaded again", async () => {
    const preview = app.page("<title>Print</title>", "localhost");
    await app.show(
      `<title>Report</title><button onclick="window.open('${preview}', '', 'noopener'); for (;;);">Print</button>`,
    );
    const relay = await Relay.start(app.browser.url, { addresses: { [preview]: "chrome://print/" } });
    onTestFinished(() => relay.stop());
    await app.disconnect();
    await app.connect({ cdpUrl: relay.url });
    const printing =
      'print_preview_open: A print preview is open, and the page waits for it. Close it, or call navigate({"action":"reload","windowId":"w1"}), which ends the printing.';
    // The answer comes before the call's whole time is over.
    const ends = timeoutSignal(10_000);
    expect((await app.call("click", { text: "Print" }, ends)).text).toBe(printing);
    expect((await app.call("inspect_dom", {}, ends)).text).toBe(printing);
    expect(await app.do("get_window_info")).toMatch(/^1 window\.\n/);
    expect(await app.do("navigate", { action: "reload" })).toContain('"Report"');
  });
});
