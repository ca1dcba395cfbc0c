import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { useApp } from "../testing/app";
import { appPage } from "../testing/pages";

const app = useApp();

/** The ref of the only line that contains all of these words: a model has no other information. */
function refOf(seen: string, ...words: string[]): string {
  const lines = seen.split("\n").filter((line) => words.every((word) => line.includes(word)));
  expect(lines, words.join(" ")).toHaveLength(1);
  return /\d*e\d+/.exec(lines[0] ?? "")?.[0] ?? "";
}

type Step = [
  words: string[],
  tool: "click" | "type_text",
  input: Record<string, unknown>,
  check: string,
  value: unknown,
];

const click = (words: string[], mark: string): Step => [
  words,
  "click",
  {},
  `marks.includes(${JSON.stringify(mark)})`,
  true,
];
const type = (words: string[], text: string, check: string, value: unknown = text): Step => [
  words,
  "type_text",
  { text },
  check,
  value,
];
const field = (name: string) => `document.querySelector("[name=${name}]").value`;

const steps: Step[] = [
  click(["a ", '"Tasks"'], "#/tasks"),
  click(["a ", '"Team"'], "#/team"),
  click(["a ", '"Help"'], "#/help"),
  click(["button", '"Notifications"'], "bell"),
  click(["tab", '"Profile"', "selected"], "Profile"),
  click(["tab", '"Billing"'], "Billing"),
  type(["input", '"Full name"'], "Ada Lovelace", field("full")),
  type(["email", '"Email"'], "ada@example.com", 'document.querySelector("#mail").value'),
  type(["password", '"New password"'], "correct horse", field("pass")),
  type(["select", '"Language"', '="English"'], "Deutsch", field("lang")),
  type(["date", '"Born on"'], "1815-12-10", field("born")),
  type(["range", '"Volume"', '="30"'], "70", field("volume")),
  [
    ["checkbox", '"Send me news"', "unchecked"],
    "click",
    {},
    'document.querySelector("[name=news]").checked',
    true,
  ],
  [["radio", '"Pro plan"', "unchecked"], "click", {}, 'document.querySelector("[value=pro]").checked', true],
  [["radio", '"Free plan"'], "click", {}, 'document.querySelector("[value=free]").checked', true],
  type(["textarea", '"About you"'], "Counts.", field("about")),
  click(["button", '"Save profile"'], "save"),
  [
    ["summary", '"Advanced options"', "collapsed"],
    "click",
    {},
    'document.querySelector("details").open',
    true,
  ],
  type(["#notes", '"Notes"'], "Remember", 'document.querySelector("[data-testid=notes]").innerText.trim()'),
  click(["switch", '"Dark mode"', "unchecked"], "dark"),
  click(['"Filter: open"', "clickable"], "chip"),
  click(['"1 stars"'], "1 stars"),
  click(['"3 stars"'], "3 stars"),
  click(['"Inbox 3"'], "row1"),
  click(['"Archive"'], "row2"),
  type(['"Coupon"'], "SAVE10", 'marks.includes("coupon:SAVE10")', true),
  click(["button", '"Apply"'], "apply"),
  click(['"حفظ"'], "arabic"),
  click(['"ביטול"'], "hebrew"),
  click(['"保存する"'], "japanese"),
];

it("finds each of 30 controls by its line of inspect_dom, and acts on it at the first try", async () => {
  await app.show(appPage);
  expect(steps).toHaveLength(30);
  for (const [words, tool, input, check, value] of steps) {
    const ref = refOf(await app.do("inspect_dom"), ...words);
    await app.do(tool, { ref, ...input });
    expect(await app.value(check), words.join(" ")).toBe(value);
  }
});

it("distinguishes two of the same name by their rows", async () => {
  await app.show(appPage);
  const lines = (await app.do("inspect_dom")).split("\n");
  const row = lines.findIndex((line) => line.includes('"Grace | Member"'));
  await app.do("click", { ref: refOf(lines[row + 1] ?? "", '"Edit"') });
  expect(await app.value("marks")).toEqual(["editGrace"]);
});

it("shows which control is disabled, and operates a slider by keys and a file input by path", async () => {
  await app.show(appPage);
  const seen = await app.do("inspect_dom");
  refOf(seen, '"Delete account"', "(disabled)");
  await app.do("click", { ref: refOf(seen, "slider", '"Zoom"', '="50"') });
  await app.do("send_keys", { keys: ["ArrowRight"] });
  expect(await app.value("marks")).toContain("zoom:ArrowRight");
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "me.png"), "png");
  await app.do("type_text", { ref: refOf(seen, "[file]", '"Photo"'), text: join(directory, "me.png") });
  expect(await app.do("inspect_dom")).toMatch(/"Photo" ="me\.png"/);
});
