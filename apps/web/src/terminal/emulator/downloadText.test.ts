import xterm from "@xterm/headless";
import { expect, it } from "vitest";
import { terminalText, textFileName } from "./downloadText";

async function textOf(output: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 3, scrollback: 100, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const text = terminalText(terminal.buffer);
  terminal.dispose();
  return text;
}

it("is the scrollback and the screen, without colours and wraps", async () => {
  const lines = Array.from({ length: 10 }, (_, n) => `line ${n}`);
  expect(await textOf(`\x1b[31m${lines.join("\r\n")}\x1b[0m`)).toBe(`${lines.join("\n")}\n`);
  const long = "word ".repeat(12).trimEnd();
  expect(await textOf(`${long}\r\n`)).toBe(`${long}\n`);
  expect(await textOf("")).toBe("");
});

it("ends with the screen of a full-screen program", async () => {
  expect(await textOf("$ vim\r\n\x1b[?1049h\x1b[HOverview")).toBe("$ vim\nOverview\n");
});

it("has a name that every file system accepts", () => {
  expect(textFileName("Fix login / über")).toBe("Fix-login-über.txt");
  expect(textFileName("../../etc")).toBe("etc.txt");
  expect(textFileName("\u202e:?*")).toBe("terminal.txt");
  expect(textFileName("a".repeat(500))).toHaveLength(84);
});
