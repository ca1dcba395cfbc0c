import { describe, expect, it } from "vitest";
import { redactor } from "../access/redact";
import { useApp } from "../testing/app";

const app = useApp();

describe("values", () => {
  it.each([
    ["1 + 1", "2"],
    ["'text'", '"text"'],
    ["const a = 1; const b = 2; [a, b]", "[1,2]"],
    ["await new Promise((resolve) => setTimeout(resolve, 5)); 'later'", '"later"'],
    ["if (true) { return 'returned'; }", '"returned"'],
    [
      "({ a: undefined, b: null, c: [undefined], d: new Date(0) })",
      '{"b":null,"c":[null],"d":"1970-01-01T00:00:00.000Z"}',
    ],
    ["undefined", "undefined"],
    ["10n ** 20n", "100000000000000000000n (BigInt)"],
    ["[1n, NaN, Symbol('s'), () => 1]", '["1n","NaN","Symbol(s)","[function anonymous]"]'],
    ["NaN", "NaN"],
    ["const o = { me: null }; o.me = o; o", '{"me":"[circular]"}'],
    ["document.body", '"<body#b.x.y> Hello"'],
    ["document.querySelectorAll('i')", '["<i> one","<i> two"]'],
    ["new Map([['a', new Set([1])]])", '{"a":[1]}'],
    ["window", '"[Window]"'],
    ["({ get bad() { throw new Error('no') } })", '{"bad":"[getter failed: Error: no]"}'],
    ["Promise.resolve({ x: 1 })", '{"x":1}'],
  ])("%s is %s", async (code, text) => {
    await app.show(`<body id=b class="x y">Hello</body>`);
    if (code.includes("'i'")) await app.show("<i>one</i><i>two</i>");
    expect(await app.do("evaluate_js", { code })).toBe(text);
  });

  it.each([
    "'x'.repeat(1e6)",
    "Array.from({ length: 1e6 }, (_, index) => index)",
    "({ ...Array(5e5).fill('long text') })",
  ])("cuts a long value: %s", async (code) => {
    const text = await app.do("evaluate_js", { code });
    expect(text.length).toBeLessThan(21_000);
    expect(text).toContain("…");
  });

  it("ends with deep values", async () => {
    expect(
      await app.do("evaluate_js", { code: "let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; o" }),
    ).toContain("too deep");
  });
});

describe("failures", () => {
  it.each([
    ["throw new TypeError('bad')", /^exception: TypeError: bad\n\s+at .*The code threw it/s],
    ["throw 'just text'", /^exception: "just text"/],
    ["await Promise.reject(new Error('later'))", /^exception: Error: later/],
    ["nothing.here", /^exception: ReferenceError: nothing is not defined/],
    ["1 +", /^exception: SyntaxError: Unexpected end of input/],
  ])("%s", async (code, text) => {
    expect(await app.fail("evaluate_js", { code })).toMatch(text);
  });

  it.each(["while (true) {}", "await new Promise(() => {})", "for (;;) await 0"])(
    "stops %s",
    async (code) => {
      expect(await app.fail("evaluate_js", { code, timeoutMs: 200 })).toMatch(
        /^timed_out: The code had not ended after 200 ms, and was stopped/,
      );
      expect(await app.value("1 + 1")).toBe(2);
    },
  );

  it("stops code that has hardly begun when its time is over", async () => {
    await app.show("page");
    for (const timeoutMs of [0, 1])
      expect(await app.fail("evaluate_js", { code: "for (;;);", timeoutMs })).toBe(
        `timed_out: The code had not ended after ${timeoutMs} ms, and was stopped. Raise timeoutMs, or do less in one call.`,
      );
    expect(await app.value("1 + 1")).toBe(2);
  });

  it("reports a page that navigates in the meantime", async () => {
    const next = app.page("next");
    await app.show("here");
    const code = `location.href = ${JSON.stringify(next)}; await new Promise(() => {})`;
    expect(await app.fail("evaluate_js", { code })).toMatch(
      /^page_navigated: The page went to another document before the code had ended/,
    );
  });
});

it("shows no part of a secret where a text is cut", async () => {
  await app.show(`<p>${"a".repeat(95)}hunter2hunter2</p>`);
  await app.connect({ redact: redactor("PASSWORD=hunter2hunter2") });
  const thrown = await app.fail("evaluate_js", {
    code: "throw new Error('a'.repeat(2985) + 'hunter2hunter2')",
  });
  const node = await app.do("evaluate_js", { code: "document.querySelector('p')" });
  const asked = await app.do("evaluate_js", { code: "alert('a'.repeat(495) + 'hunter2hunter2')" });
  await app.value("document.title = 'a'.repeat(90) + 'hunter2hunter2'; 0");
  const windows = await app.do("get_window_info");
  for (const text of [thrown, node, asked, windows]) {
    expect(text).toContain("a<secret:PASSWORD>…");
    expect(text).not.toContain("hunt");
  }
});
