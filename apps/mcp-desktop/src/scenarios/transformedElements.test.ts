import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const inner = `<body style="margin:0;height:190px"><button style="position:absolute;left:20px;top:30px;width:80px;height:40px"
    onclick="top.postMessage('clicked', '*')">In</button>
  <input id=r type=range value=0 style="position:absolute;left:20px;top:100px;width:200px"
    oninput="top.postMessage(Number(value), '*')">`;

const styles = {
  "scaled down": "transform:scale(.5)",
  "scaled up, from its corner": "transform:scale(1.4);transform-origin:0 0",
  rotated: "transform:rotate(90deg)",
  "rotated a little, and skewed": "transform:rotate(20deg) skewX(10deg)",
  mirrored: "transform:scaleX(-1)",
  "scaled by properties": "scale:.5 .7;rotate:30deg;translate:20px 10px",
  "turned about its axis": "transform:rotateY(60deg)",
};

const frame = (url: string, style: string) =>
  `<iframe src="${url}" style="width:300px;height:200px;border:6px solid;padding:5px;${style}"></iframe>`;

/** Shows a frame in the middle of the window, and waits until its content is listed. */
async function show(html: string): Promise<void> {
  await app.show(
    `<script>window.heard = []; onmessage = ({ data }) => heard.push(data);</script>
    <div style="padding:150px 250px">${html}</div>`,
  );
  await expect.poll(() => app.do("inspect_dom")).toContain('button "In"');
}

const heard = () => app.value("heard.splice(0)");

/** Clicks in every way, and expects that the button has received each click. */
async function expectClicks(): Promise<void> {
  const text = await app.do("inspect_dom");
  const [, ref, ...numbers] = /(\S+) button "In" (\d+),(\d+) (\d+)x(\d+)/.exec(text) ?? [];
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  const point = { x: x + width / 2, y: y + height / 2 };
  for (const way of [{ text: "In" }, { ref }, { selector: "button" }, point]) {
    await app.do("click", way);
    await expect.poll(heard).toEqual(["clicked"]);
  }
}

describe.each(["127.0.0.1", "localhost"] as const)("a frame of %s", (host) => {
  it.each(Object.entries(styles))("that is %s is clicked where it is shown", async (_, style) => {
    await show(frame(app.page(inner, host), style));
    await expectClicks();
  });

  it("in a scaled box within another one is clicked where it is shown", async () => {
    const box = (html: string, style: string) => `<div style="${style}">${html}</div>`;
    const shown = box(frame(app.page(inner, host), "scale:1.5"), "transform:scale(.8)");
    await show(box(shown, "transform:rotate(-15deg) translate(10px, 20px)"));
    await expectClicks();
  });

  it("that is scaled in a scaled frame is clicked where it is shown", async () => {
    const middle = app.page(
      `<body style="margin:0">${frame(app.page(inner, "127.0.0.1"), "scale:.7")}`,
      host,
    );
    await show(
      `<iframe src="${middle}" style="width:400px;height:300px;transform:rotate(10deg) scale(.9)"></iframe>`,
    );
    await expectClicks();
  });

  it("is dragged in along its own direction", async () => {
    await show(frame(app.page(inner, host), "transform:rotate(90deg) scale(.5)"));
    const [, ref] = /(\S+) input/.exec(await app.do("inspect_dom")) ?? [];
    await app.do("drag", { from: ref, to: "+0,+30" });
    await expect.poll(heard).not.toEqual([]);
  });

  it("shows the picture of an element", async () => {
    await show(frame(app.page(inner, host), "transform:scale(.5)"));
    const { text } = await app.call("take_screenshot", { selector: "button" });
    expect(text).toMatch(/^Screenshot 40x20 png/);
  });

  it("in perspective is refused", async () => {
    await show(
      `<div style="perspective:200px">${frame(app.page(inner, host), "transform:rotateY(50deg)")}</div>`,
    );
    expect(await app.fail("click", { text: "In", timeoutMs: 0 })).toMatch(
      /^distorted: <button> "In" \[\d*e\d+\] is in a frame whose transform leaves its position unknown/,
    );
  });

  it("is tested for covers at the point of the click", async () => {
    const cover = `<div id=cover style="position:fixed;left:250px;top:150px;width:190px;height:110px;background:gold">Cover</div>`;
    await show(frame(app.page(inner, host), "") + cover);
    expect(await app.fail("click", { text: "In", timeoutMs: 0 })).toMatch(/^covered: .* by <div> "Cover"/);
    await app.value("cover.style.top = '265px'; cover.style.left = '400px'; 0");
    await app.do("click", { text: "In" });
    await expect.poll(heard).toEqual(["clicked"]);
  });
});
