import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, inject, it } from "vitest";
import { useApp } from "../testing/app";

describe("between the calls", () => {
  const app = useApp();

  it("a window that the app opens without a click is reported with the next result", async () => {
    const url = app.page("<title>Second</title><button>Two</button>");
    await app.show("<title>First</title>");
    let answer = await app.do("evaluate_js", { code: `setTimeout(() => window.open("${url}"), 300); 0` });
    await expect
      .poll(async () => {
        answer += await app.do("inspect_dom");
        return answer;
      })
      .toMatch(new RegExp(`\\nA new window w\\d+ opened: ${url}`));
    const [, windowId] = /A new window (w\d+)/.exec(answer) ?? [];
    await app.do("click", { text: "Two", windowId });
    expect(await app.do("inspect_dom")).not.toContain("A new window");
  });

  it("a new window is reported with its address, even if it has none yet", async () => {
    await app.show(`<button onclick="window.open('/never')">Open</button>
      <button onclick="window.open()">Blank</button>`);
    expect(await app.do("click", { text: "Open" })).toMatch(
      /\nA new window w\d+ opened: http:\/\/127\.0\.0\.1:\d+\/never$/,
    );
    expect(await app.do("click", { text: "Blank" })).toMatch(/\nA new window w\d+ opened(\.|: about:blank)$/);
  });

  async function downloadsTo(behavior: "allow" | "deny"): Promise<string> {
    const directory = await temporaryDirectory();
    await app.do("get_window_info");
    const signal = AbortSignal.timeout(5_000);
    const { connection } = (await app.desktop?.link(signal)) ?? {};
    const params = { behavior, downloadPath: directory, eventsEnabled: true };
    await connection?.browser.send("Browser.setDownloadBehavior", params, signal);
    return directory;
  }

  it("a download is reported with its name, place and end", async () => {
    const directory = await downloadsTo("allow");
    const file = app.file("/data.csv", "a,b\n", "text/csv");
    await app.show(`<a href="${file}" download="report.csv">Download</a>`);
    let answer = await app.do("click", { text: "Download" });
    // A download that begins after the call, or lasts longer, is reported by the next one.
    await expect
      .poll(async () => {
        answer += `\n${await app.do("get_window_info")}`;
        return answer;
      })
      .toContain('The download of "report.csv" is complete');
    if (inject("browser") === "installed")
      expect(answer).toContain(`"report.csv" is complete: ${join(directory, "report.csv")}`);
    expect(await readFile(join(directory, "report.csv"), "utf8")).toBe("a,b\n");
    expect(await app.do("get_window_info")).not.toContain("download");
  });

  it("a download that is refused is reported", async () => {
    await downloadsTo("deny");
    const file = app.file("/data.csv", "a,b\n", "text/csv");
    await app.show(`<a href="${file}" download="report.csv">Download</a>`);
    let answer = await app.do("click", { text: "Download" });
    await expect
      .poll(async () => {
        answer += `\n${await app.do("get_window_info")}`;
        return answer;
      })
      .toContain(`The download of "report.csv" from ${file} was canceled or refused by the browser.`);
  });

  it("a window behind another tab does not keep pictures and clicks waiting", async () => {
    await app.show(`<button onclick="window.open('about:blank')">Open</button>
      <button onclick="document.title += '!'">Count</button><div id=tall style="height:4000px">Tall</div>`);
    for (let time = 0; time < 3; time++) await app.do("click", { text: "Open", windowId: "w1" });
    let answer = "";
    for (let time = 0; time < 3; time++) answer += await app.do("click", { text: "Count", windowId: "w1" });
    const { text } = await app.call("take_screenshot", { fullPage: true, windowId: "w1" });
    expect(text).toMatch(/^Screenshot \d+x2000 png/);
    answer += text;
    if (inject("browser") === "installed")
      expect(answer).toContain("w1 was slow to draw behind another tab, and was brought to the front.");
    expect(await app.value("document.title", { windowId: "w1" })).toBe("Test!!!");
  });
});

describe("in a browser that keeps pages from opening windows", () => {
  const app = useApp(["--site-per-process"]);

  it("a window that did not open is reported", async () => {
    const url = app.page("<title>Popup</title>");
    const page = app.page(`<script>window.open("${url}")</script>`);
    const answer = await app.do("navigate", { url: page });
    // The headless shell opens all of them.
    if (inject("browser") === "bundled") expect(answer).toMatch(/\nA new window w\d+ opened: http/);
    else
      expect(answer).toContain(
        `\nThe page asked for a new window at ${url}, and the browser or the app did not open it.`,
      );
  });

  it("the second window that a click opens is reported", async () => {
    const url = app.page("<title>Popup</title>");
    await app.show(`<button onclick="window.open('${url}'); window.open('${url}?2')">Open</button>`);
    const answer = await app.do("click", { text: "Open" });
    expect(answer).toMatch(new RegExp(`\\nA new window w\\d+ opened: ${url}(\\n|$)`));
    if (inject("browser") === "installed")
      expect(answer).toContain(`asked for a new window at ${url}?2, and`);
  });
});
