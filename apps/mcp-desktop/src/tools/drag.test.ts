import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

async function refOf(words: string): Promise<string> {
  const line = (await app.do("inspect_dom")).split("\n").find((shown) => shown.includes(words)) ?? "";
  return /\d*e\d+/.exec(line)?.[0] ?? "";
}

/** A slider that only a pointer can move. */
const slider = `<div id=track style="position:absolute;left:50px;top:50px;width:200px;height:10px;background:silver">
  <div id=thumb role=slider aria-label=Volume aria-valuenow=0 tabindex=0 style="position:absolute;left:-10px;top:-5px;width:20px;height:20px;background:navy"></div></div>
  <script>
    window.moves = 0;
    thumb.onpointerdown = ({ pointerId }) => thumb.setPointerCapture(pointerId);
    thumb.onpointermove = ({ pointerId, clientX, isTrusted }) => {
      if (!isTrusted || !thumb.hasPointerCapture(pointerId)) return;
      moves++;
      const value = Math.max(0, Math.min(100, Math.round((clientX - 50) / 2)));
      thumb.style.left = value * 2 - 10 + "px";
      thumb.setAttribute("aria-valuenow", value);
    };
  </script>`;

it("moves a slider, through all points in between", async () => {
  await app.show(slider);
  const ref = await refOf("Volume");
  expect(await app.do("drag", { from: ref, to: "+120,+0" })).toMatch(
    /^Dragged <div> "Volume" \[e1\] to \(170, 55\)/,
  );
  expect(await app.value("thumb.ariaValueNow")).toBe("60");
  expect(await app.value("moves")).toBeGreaterThan(4);
  await app.do("drag", { from: ref, to: "100, 55" });
  expect(await app.value("thumb.ariaValueNow")).toBe("25");
});

const boxes = `<script>window.seen = [];</script>
  <div id=card draggable=true style="width:100px;height:30px;background:gold">Card</div><div style="height:60px"></div>
  <div id=bin role=group aria-label=Bin style="width:100px;height:60px;background:silver">Bin</div><script>
    for (const type of ["dragstart", "dragenter", "dragover", "drop", "dragend"])
      addEventListener(type, (event) => { if (seen.at(-1) !== type) seen.push(type); });
    card.ondragstart = ({ dataTransfer }) => dataTransfer.setData("text/plain", "the card");
    bin.ondragover = (event) => event.preventDefault();
    bin.ondrop = (event) => { event.preventDefault(); document.title = event.dataTransfer.getData("text/plain"); };
  </script>`;

it("drops a draggable element with its data", async () => {
  await app.show(boxes);
  expect(await app.do("inspect_dom")).toMatch(/e1 div "Card" \(clickable draggable\)/);
  await app.do("drag", { from: await refOf('"Card"'), to: await refOf("Bin") });
  expect(await app.value("document.title")).toBe("the card");
  const seen = (await app.value("seen")) as string[];
  expect(seen[0]).toBe("dragstart");
  expect(seen.slice(-2)).toEqual(["drop", "dragend"]);
  // The pointer is free again.
  await app.value("addEventListener('click', () => seen.push('click')); 0");
  await app.do("click", { selector: "#bin" });
  expect(await app.value("seen.at(-1)")).toBe("click");
});

it("drops nothing if the page accepts nothing", async () => {
  await app.show(boxes);
  expect(await app.do("drag", { from: await refOf('"Card"'), to: "300,200" })).toMatch(
    /\nNothing there accepted the drop\.$/,
  );
  expect(await app.value("seen.includes('drop')")).toBe(false);
  await app.do("drag", { from: await refOf('"Card"'), to: await refOf("Bin") });
  expect(await app.value("document.title")).toBe("the card");
});

/** An item that only a press and hold picks up, and that drops only after a rest over the target. */
const holding = (ms: number) => `<div id=item role=button tabindex=0 style="width:90px;height:30px">Item</div>
  <div style="height:90px"></div><div id=bin role=group aria-label=Bin style="width:100px;height:60px">Bin</div><script>
    let timer, held = false;
    item.onpointerdown = () => { timer = setTimeout(() => { held = true; document.title = "held"; }, ${ms}); };
    onpointermove = () => { if (!held) clearTimeout(timer); };
    onpointerup = ({ target }) => { clearTimeout(timer); if (held && target === bin) bin.textContent = "dropped"; held = false; };
  </script>`;

it("holds before it moves, as long as given", async () => {
  for (const [ms, args] of [
    [250, {}],
    [300, {}],
    [600, { holdMs: 800 }],
  ] as const) {
    await app.show(holding(ms));
    const ends = { from: await refOf('"Item"'), to: await refOf("Bin") };
    expect(await app.do("drag", { ...ends, ...args })).not.toContain("No element");
    expect(await app.value("bin.textContent")).toBe("dropped");
  }
});

it("reports that nothing changed", async () => {
  await app.show(holding(2_500));
  const ends = { from: await refOf('"Item"'), to: await refOf("Bin") };
  expect(await app.do("drag", ends)).toMatch(/\nNo element of the page changed\.$/);
  await app.show(`<input type=range id=r style="width:200px" aria-label=Volume>`);
  expect(await app.do("drag", { from: await refOf("Volume"), to: "+50,+0" })).not.toContain("No element");
});

it("sorts a list that follows the pointer", async () => {
  await app.show(`<ul id=list style="padding:0;margin:0;list-style:none">${["One", "Two", "Three", "Four"]
    .map((name) => `<li role=option tabindex=0 style="height:30px;touch-action:none">${name}</li>`)
    .join("")}</ul><script>
      let held;
      list.onpointerdown = ({ target }) => { held = target; };
      onpointermove = ({ clientY }) => {
        if (!held) return;
        const over = [...list.children].find((item) => {
          const { top, bottom } = item.getBoundingClientRect();
          return clientY >= top && clientY < bottom;
        });
        if (!over || over === held) return;
        const isBelow = held.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
        over[isBelow ? "after" : "before"](held);
      };
      onpointerup = () => { held = undefined; };
    </script>`);
  await app.do("drag", { from: await refOf('"One"'), to: await refOf('"Three"') });
  expect(await app.value("list.innerText.split('\\n')")).toEqual(["Two", "Three", "One", "Four"]);
});

it("drags within a frame of another site", async () => {
  const inner = app.page(
    `<body style="margin:0">${boxes.replace("document.title =", "top.postMessage(")}`.replace(
      '"text/plain"); };',
      '"text/plain"), "*"); };',
    ),
    "localhost",
  );
  await app.show(
    `<script>onmessage = ({ data }) => { document.title = data; };</script><iframe src="${inner}" style="margin:30px;height:300px"></iframe>`,
  );
  await expect.poll(() => app.do("inspect_dom")).toContain('"Card"');
  await app.do("drag", { from: await refOf('"Card"'), to: await refOf("Bin") });
  await expect.poll(() => app.value("document.title")).toBe("the card");
});

it("reports why it cannot drag", async () => {
  await app.show(`<button>Here</button><div style="height:3000px"></div><button>There</button>`);
  const [here, there] = [await refOf("Here"), await refOf('"There"')];
  expect(await app.fail("drag", { from: here, to: there })).toMatch(/^far_apart: .*not in view together/);
  expect(await app.fail("drag", { from: "e99", to: here })).toMatch(/^not_a_ref/);
  expect(await app.fail("drag", { from: "10,10", to: "5000,10" })).toMatch(/^outside: \(5000, 10\)/);
});
