import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const logs = (args = {}) => app.do("get_console_logs", args);

it("connects by itself, and shows earlier entries with level and source", async () => {
  const url = await app.show(`<script>
    console.log("plain", 1, { a: [1, 2] }, [true], null, undefined);
    console.debug("detail"); console.warn("careful"); console.error(new Error("broken"));
    console.assert(false, "not so");
  </script>`);
  const text = await logs();
  expect(text).toMatch(/^5 entries\.\n/);
  expect(text).toMatch(
    new RegExp(
      `1 \\d\\d:\\d\\d:\\d\\d\\.\\d{3} info plain 1 \\{a: Array\\(2\\)\\} \\[true\\] null undefined \\(${url}:2\\)`,
    ),
  );
  expect(text).toMatch(/debug detail/);
  expect(text).toMatch(/warning careful/);
  expect(text).toMatch(/error Error: broken\n {2,}at http/);
  expect(text).toMatch(/error not so/);
  await app.disconnect();
  expect(await logs()).toMatch(/^5 entries\.\n/);
});

it("shows uncaught errors, unhandled rejections and failed requests", async () => {
  await app.show(`<script>
    setTimeout(() => { throw new TypeError("thrown"); });
    Promise.reject(new Error("refused"));
    fetch("/missing");
    new Image().src = "http://127.0.0.1:1/x.png";
  </script>`);
  await expect.poll(() => logs({ level: "error" })).toMatch(/^4 entries/);
  const text = await logs({ level: "error" });
  expect(text).toContain("Uncaught TypeError: thrown");
  expect(text).toContain("Uncaught (in promise) Error: refused");
  expect(text).toMatch(/Failed to load resource: .*404.*\/missing/);
  expect(text).toMatch(/ERR_(UNSAFE_PORT|CONNECTION_REFUSED).*x\.png/);
});

it("filters by level, text, id and number, and clears", async () => {
  await app.show("page");
  await app.value("for (let i = 1; i <= 20; i++) console.log('item ' + i); console.warn('odd (one)'); 0");
  await expect.poll(() => logs()).toContain("odd (one)");
  expect(await logs({ level: "warning" })).toMatch(/^1 entry\.\n\d+ \S+ warning odd \(one\)/);
  expect(await logs({ pattern: "ITEM*0" })).toMatch(/^2 entries\.\n.*item 10.*\n.*item 20/);
  expect(await logs({ pattern: "(one)" })).toMatch(/^1 entry/);
  const limited = await logs({ limit: 3 });
  expect(limited).toMatch(/^21 entries, the last 3 shown \(truncated\)\.\n/);
  const [, id] = /(\d+) \S+ info item 20/.exec(limited) ?? [];
  expect(await logs({ since: Number(id) })).toMatch(/^1 entry/);
  await logs({ clear: true });
  expect(await logs()).toBe("0 entries.");
});

it("keeps within its bounds when a page floods it", async () => {
  await app.show("page");
  const code = "for (let i = 0; i < 5000; i++) console.log('x'.repeat(5000) + i); 0";
  await app.do("evaluate_js", { code, timeoutMs: 30_000 });
  await expect.poll(() => logs({ limit: 1 })).toMatch(/x… \(5004 characters\)/);
  await expect.poll(() => logs({ limit: 1000 })).toMatch(/[34]000 older dropped/);
  expect((await logs({ limit: 1000 })).length).toBeLessThan(31_000);
});

it("formats as the console does, and shows the source once", async () => {
  await app.show(`<script>
    console.log("%s has %d of %i, %f %%, %o", "Ada", 3, 4.7, 0.5, { a: 1 }, "more");
    console.log("%cred", "color: red"); console.log("100%"); console.log("%s", undefined, "%s"); console.log("%d");
    fetch("/missing?why=1");
  </script>`);
  await expect.poll(() => logs()).toMatch(/^6 entries/);
  const text = await logs();
  expect(text).toMatch(/info Ada has 3 of 4, 0\.5 %, \{a: 1\} more \(/);
  expect(text).toMatch(/info red \(/);
  expect(text).toMatch(/info 100% \(/);
  expect(text).toMatch(/info undefined %s \(/);
  expect(text).toMatch(/info %d \(/);
  expect(text).toMatch(/404 \(Not Found\) \(http:[^() ]*\/missing\?why=1\)$/m);
});

it("shows tables with their cells, elements by name, groups by their label, and each place once", async () => {
  const url = await app.show(`<form id=f class="a b"></form><script>
    console.table([{ a: 1, b: "x" }, { a: 2, b: "y" }]); console.table({ row: { c: 1 } }); console.table([[1, 2], [3]]);
    console.group("Group"); console.log("within"); console.groupEnd(); console.clear();
    console.log(f, document.body); console.log("%o", f);
    console.error(new Error("logged")); function g() { throw new TypeError("thrown"); } setTimeout(g);
    Promise.reject(new Error("refused")); setTimeout(() => { throw "text"; });
  </script>`);
  await expect.poll(() => logs()).toMatch(/^11 entries/);
  const text = await logs();
  expect(text).toContain('info [{a: 1, b: "x"}, {a: 2, b: "y"}] (');
  expect(text).toContain("info {row: {c: 1}} (");
  expect(text).toContain("info [[1, 2], [3]] (");
  expect(text).toMatch(/info Group .*\n.*info within /);
  expect(text).toContain("info <form#f.a.b> <body> (");
  expect(text).toContain("info <form#f.a.b> (");
  const errors = (await logs({ level: "error" })).split(/\n(?=\d)/).slice(1);
  expect(errors).toHaveLength(4);
  for (const error of errors) expect(error.split(url), error).toHaveLength(2);
});

it("reads numbers as the Console Standard does, and shows nodes, symbols and what maps and sets hold", async () => {
  await app.show(`<form id=f></form><script>
    console.log("%d %i %f", "42px", -7.9, "1.5em"); console.log("%d %d %d", 12n, Symbol("n"), true);
    console.log("%s %s %s", Symbol("s"), 5n, -0); console.log("%o %O", f, f); console.log("%o|%O", [f, 1], { f });
    console.log("%s %s %%", "one"); console.log("%x", 1); console.log(f, "%s");
    console.log(new Map([["a", 1], [{ k: 1 }, [2]]]), new Set(["x", 2])); console.table(new Map([["k", { v: 1 }]]));
    console.table([{ a: 1, b: 2 }], ["a"]); console.group("G %s", "x"); console.groupEnd();
  </script>`);
  await expect.poll(() => logs()).toMatch(/^12 entries/);
  const lines = (await logs()).split("\n").slice(1);
  expect(lines.map((line) => line.replace(/^\d+ \S+ info | \(http.*$/g, ""))).toEqual([
    "42 -7 1.5",
    "12 NaN NaN",
    "Symbol(s) 5 0",
    "<form#f> <form#f>",
    "[<form#f>, 1]|{f: <form#f>}",
    "one %s %",
    "%x 1",
    "<form#f> %s",
    'Map(2) {"a" => 1, {k: 1} => [2]} Set(2) {"x", 2}',
    'Map(1) {"k" => {v: 1}}',
    "[{a: 1}]",
    "G x",
  ]);
});
