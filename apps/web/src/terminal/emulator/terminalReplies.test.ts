import xterm from "@xterm/headless";
import fc from "fast-check";
import { expect, it } from "vitest";
import { copiedText, suppressReplies } from "./terminalReplies";

const ESC = "\x1b";
const ST = `${ESC}\\`;
const queries = [
  ...["c", "0c", ">c", ">0c", "=c", "5n", "6n", "?6n", "?15n", "?25n", "?26n", "?53n", "?996n"],
  ...["4$p", "?2026$p", "?1$p", ">q", ">0q", "?u", "14t", "16t", "18t", "19t", "20t", "21t", "x", "1x"],
].map((query) => `${ESC}[${query}`);
const strings = [
  ...["4;1;?", "4;1;?;2;?", "10;?", "11;?", "12;?", "10;?;?;?", "52;c;?", "52;c;aGVsbG8="].map(
    (query) => `${ESC}]${query}${ST}`,
  ),
  ...["$qm", "$qr", "$q q", '$q"p', "+q544e"].map((query) => `${ESC}P${query}${ST}`),
  `${ESC}Z`,
];

/** Returns everything that a terminal replies to this output. */
async function answersTo(output: string, silent: boolean): Promise<string[]> {
  const terminal = new xterm.Terminal({ allowProposedApi: true, logLevel: "off" });
  const replies: string[] = [];
  terminal.onData((data) => replies.push(data));
  terminal.onBinary((data) => replies.push(data));
  if (silent) suppressReplies(terminal.parser);
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  terminal.dispose();
  return replies;
}

it("a terminal replies to these by default", async () => {
  expect(await answersTo(queries.join(""), false)).not.toEqual([]);
});

it.each([...queries, ...strings].map((query) => [JSON.stringify(query), query]))(
  "suppresses the reply to %s",
  async (_, query) => {
    expect(await answersTo(query, true)).toEqual([]);
  },
);

it("suppresses all replies, however queries and other output are mixed", async () => {
  const piece = fc.constantFrom(...queries, ...strings, "text", "\r\n", `${ESC}[31m`, `${ESC}[?1004h`, ESC);
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      expect(await answersTo(pieces.join(""), true)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

it("decodes a clipboard text, unless it is invalid or too long", () => {
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  expect(copiedText(`c;${base64("héllo\n")}`)).toBe("héllo\n");
  for (const data of ["c;?", "c;", "c;#", `c;${"eHh4".repeat(40_000)}`, "c;/w==", "nothing"])
    expect(copiedText(data)).toBeUndefined();
});
