import xterm from "@xterm/headless";
import { expect, it } from "vitest";
import { suppressDeadLinks } from "./suppressDeadLinks";

const link = (address: string, text: string) => `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;

/** Returns the text that is underlined as a link. */
async function linked(output: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 2, allowProposedApi: true, logLevel: "off" });
  suppressDeadLinks(terminal.parser);
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const line = terminal.buffer.active.getLine(0);
  const cells = Array.from({ length: 80 }, (_, x) => line?.getCell(x));
  const text = cells.map((cell) => (cell?.isUnderline() ? cell.getChars() : "")).join("");
  terminal.dispose();
  return text;
}

it("shows links to http and https as links", async () => {
  expect(await linked(`see ${link("https://example.com/a;b", "this")} one`)).toBe("this");
  expect(await linked(`see ${link("http://example.com/", "this")} one`)).toBe("this");
});

it.each(["javascript:alert(1)", "file:///etc/passwd", "vscode://file/etc", "mailto:a@b", "no address"])(
  "shows a link to %s as text",
  async (address) => {
    expect(await linked(`see ${link(address, "this")} one ${link("https://example.com/", "good")}`)).toBe(
      "good",
    );
  },
);
