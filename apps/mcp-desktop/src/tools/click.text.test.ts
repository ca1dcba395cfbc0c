import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

/** Records what was pressed: the nearest element with an id. */
const record = `<script>
  window.pressed = [];
  addEventListener("click", (event) => pressed.push(event.composedPath().find((node) => node.id)?.id), true);
</script>`;
const pressed = () => app.value("pressed");

describe("the element that bears the text is pressed, not its container", () => {
  it.each([
    [
      "an option in a list box",
      "Apple",
      `<ul id=list role=listbox tabindex=0><li id=hit>Apple</li><li id=b>Banana</li><li id=c>Cherry</li></ul>`,
    ],
    [
      "a button in a card that can be clicked",
      "Delete",
      `<div id=card onclick="0" style="padding:40px 200px 40px 0">Report<br><button id=hit>Delete</button></div>`,
    ],
    [
      "the title of a card whose middle is a button",
      "Report",
      `<div id=hit onclick="0" style="width:200px">Report<button id=b style="display:block;width:200px;height:90px">Delete</button></div>`,
    ],
    [
      "a button in a row that can be clicked",
      "Edit",
      `<table><tr id=row style="cursor:pointer"><td>Ada<td>Owner<td><button id=hit>Edit</button></table>`,
    ],
    [
      "a button in a box that scrolls",
      "Save",
      `<div id=box tabindex=0 style="overflow:auto;height:100px"><p>Text</p><p style="height:300px">More</p><button id=hit>Save</button></div>`,
    ],
    [
      "an item of a tree within another",
      "file.txt",
      `<ul role=tree><li id=a role=treeitem tabindex=-1>src<ul role=group><li role=treeitem id=hit tabindex=-1>file.txt</li><li role=treeitem id=c>other.txt</li></ul></li></ul>`,
    ],
    [
      "an item of a tree around others",
      "src",
      `<ul role=tree><li id=hit role=treeitem>src<ul role=group><li role=treeitem id=b>file.txt</li><li role=treeitem id=c>b.txt</li></ul></li></ul>`,
    ],
    ["a button in a link", "Like", `<a id=link href="#there">A long post <button id=hit>Like</button></a>`],
    [
      "a link around a button",
      "A long post",
      `<a id=hit href="#there">A long post <button id=b style="width:500px">Like</button></a>`,
    ],
    [
      "a cell of a grid",
      "42",
      `<div role=grid><div role=row id=row tabindex=0><div role=gridcell tabindex=-1 id=a>41</div><div role=gridcell tabindex=-1 id=hit>42</div></div></div>`,
    ],
    [
      "a line of a row",
      "Inbox",
      `<div id=row onclick="0"><div id=hit>Inbox</div><div id=b style="height:90px">3 unread</div></div>`,
    ],
  ])("%s: %s", async (_, text, html) => {
    await app.show(record + html);
    await app.do("click", { text });
    expect(await pressed()).toEqual(["hit"]);
    expect(await app.do("click", { text, fuzzy: false })).not.toContain("match 0 of");
    expect(await pressed()).toEqual(["hit", "hit"]);
  });

  it("a menu's hidden item is not the menu", async () => {
    await app.show(`${record}<style>ul ul { visibility: hidden } li:hover ul { visibility: visible }</style>
      <ul role=menubar><li role=menuitem id=file tabindex=0>File<ul role=menu><li role=menuitem id=as>Save as</li></ul></li></ul>`);
    expect(await app.fail("click", { text: "Save as", timeoutMs: 0 })).toMatch(/^not_found/);
    await app.do("click", { text: "File" });
    await app.do("click", { text: "Save as" });
    expect(await pressed()).toEqual(["file", "as"]);
  });

  it("nothing in a disabled control is pressed", async () => {
    await app.show(`${record}<button disabled><div>Publish</div><div>for all</div></button>`);
    expect(await app.fail("click", { text: "Publish", timeoutMs: 0 })).toMatch(/^disabled/);
  });

  it("a control given by its ref is not pressed on another control in it", async () => {
    await app.show(
      `${record}<div id=card onclick="0" style="width:300px;height:100px;display:grid;place-items:center"><button id=b style="width:280px;height:80px">B</button></div>`,
    );
    await app.do("click", { selector: "#card" });
    expect(await pressed()).toEqual(["card"]);
  });
});

describe("a loose match", () => {
  it("waits for an exact match that comes a moment later", async () => {
    await app.show(`${record}<button id=as>Save as</button><script>
      let frames = 0;
      const next = () => {
        if (++frames === 30) document.body.insertAdjacentHTML("beforeend", "<button id=save>Save</button>");
        else requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    </script>`);
    expect(await app.do("click", { text: "Save" })).not.toContain("since no text");
    expect(await pressed()).toEqual(["save"]);
  });

  it("is not preferred to an exact one in a frame of another site", async () => {
    const inner = app.page(`<button onclick="parent.postMessage('inner', '*')">Save</button>`, "localhost");
    await app.show(`<script>onmessage = ({ data }) => { document.title = data; };</script>
      <button>Save as</button><iframe src="${inner}"></iframe>`);
    await app.do("click", { text: "Save" });
    await expect.poll(() => app.value("document.title")).toBe("inner");
  });

  it("is clicked if there is nothing else, and reported", async () => {
    await app.show(`${record}<button id=as>Save as…</button>`);
    expect(await app.do("click", { text: "Save" })).toMatch(
      /^Clicked <button> "Save as…" \[e1\] at \(\d+, \d+\), since no text is exactly "Save"\.$/,
    );
    expect(await pressed()).toEqual(["as"]);
  });

  it.each([
    ["Delete", "Undelete"],
    ["Remove", "Remote"],
    ["Subscribe", "Unsubscribe"],
    ["Save", "Don't save"],
    ["Send", "Do not send"],
    ["Connect", "Disconnect"],
    ["Cancel", "Cancle"],
  ])("never reverses the meaning: %s is not %s, which the error names", async (text, there) => {
    await app.show(`${record}<button>${there}</button>`);
    const message = await app.fail("click", { text, timeoutMs: 0 });
    expect(message).toMatch(/^not_found/);
    expect(message).toContain(`<button> "${there}"`);
    expect(await pressed()).toEqual([]);
  });
});
