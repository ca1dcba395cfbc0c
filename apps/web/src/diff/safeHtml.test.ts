import { expect, it } from "vitest";
import { isSafeHtml } from "./safeHtml";

it("accepts the rows of the viewer", () => {
  const row = `<div data-line="4" data-line-type="change-addition" style="--x:1"><span style="color:red">a &lt;b></span></div>`;
  expect(isSafeHtml(row.replace("b>", "b&gt;"))).toBe(true);
  expect(isSafeHtml("")).toBe(true);
  expect(isSafeHtml("only text\n")).toBe(true);
});

it.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<div onclick=alert(1)>",
  `<div data-a="1" onclick="alert(1)">`,
  `<div data-a="1"onclick="alert(1)">`,
  "<div data-a='1' onclick=alert(1)>",
  "<div/onclick=alert(1)>",
  "<div\nonclick=alert(1)>",
  `<span style="x"><svg onload=alert(1)>`,
  "<a href=javascript:alert(1)>",
  "<div <script>",
  "<",
  "<!--",
])("leaves everything else to DOMPurify: %s", (html) => {
  expect(isSafeHtml(html)).toBe(false);
});
