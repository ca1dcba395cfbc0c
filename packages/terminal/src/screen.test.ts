import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Screen, type ScreenOptions } from "./screen";

const SIZE = { columns: 40, rows: 5, scrollback: 100 };

/** The lines that a 40 × 5 terminal shows in the end. */
async function shown(output: string, options: Partial<ScreenOptions> = {}): Promise<string[]> {
  const screen = new Screen({ ...SIZE, ...options });
  await screen.write(output);
  const lines = screen.lines();
  screen.close();
  return lines;
}

describe("lines", () => {
  it("are what was printed, without colours and blanks at their ends", async () => {
    expect(await shown("\x1b[1;32mready\x1b[0m  \r\n\r\n  two\r\n\r\n\r\n")).toEqual(["ready", "", "  two"]);
    expect(await shown("")).toEqual([]);
  });

  it("stay as they were left", async () => {
    expect(await shown("10 %\r20 %\r100 %\r\ndone")).toEqual(["100 %", "done"]);
    expect(await shown("a long line\rshort\x1b[K")).toEqual(["short"]);
  });

  it("appear once, however often a program redraws them", async () => {
    const frame = (spinner: string) => `\x1b[2K\x1b[1A\x1b[2K\x1b[G${spinner} thinking\r\n> type here`;
    const frames = ["-", "\\", "|", "/", "*"].map(frame).join("");
    expect(await shown(`hello\r\n\r\n${frames}`)).toEqual(["hello", "* thinking", "> type here"]);
  });

  it("are a full-screen program's screen while it runs, and the earlier ones after it has ended", async () => {
    const drawn = "\x1b[?1049h\x1b[2J\x1b[1;1HOverview\x1b[3;5HAllow this command? [y/n]";
    const before = "$ ./agent\r\n";
    expect(await shown(before + drawn)).toEqual(["Overview", "", "    Allow this command? [y/n]"]);
    expect(await shown(`${before}${drawn}\x1b[?1049l$ `)).toEqual(["$ ./agent", "$"]);
  });

  it.each([
    ["⏳", 2],
    ["❤️", 2],
    ["👩‍💻", 2],
    ["🇨🇭", 2],
    ["👍🏽", 2],
    ["漢", 2],
    ["e\u0301", 1],
    ["⚠️", 2],
    ["⚠", 1],
    ["✅", 2],
    ["⭐", 2],
    ["☑", 1],
    ["❤\ufe0e", 1],
    ["1️⃣", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    ["🫠", 2],
    ["한", 2],
    ["Ａ", 2],
    ["ｱ", 1],
    ["が", 2],
    ["か\u3099", 2],
    ["①", 1],
    ["─", 1],
    ["…", 1],
  ])("%s takes as many cells as programs count for it", async (character, cells) => {
    expect(await shown(`${character}ab\x1b[1;${cells + 1}HX`)).toEqual([`${character}Xb`]);
    expect(await shown(`${character.repeat(40 / cells)}|\x1b[2;1HX`)).toEqual([
      `${character.repeat(40 / cells)}X`,
    ]);
  });

  it("are joined where they were too long for the screen", async () => {
    const long = "word ".repeat(30).trimEnd();
    expect(await shown(`${long}\r\nnext`)).toEqual([long, "next"]);
  });

  it("go back as far as the scrollback does", async () => {
    const all = Array.from({ length: 200 }, (_, n) => `line ${n}`);
    expect(await shown(all.join("\r\n"))).toEqual(all.slice(-105));
    expect(await shown(all.join("\r\n"), { scrollback: 0 })).toEqual(all.slice(-5));
  });

  it("may be in any script", async () => {
    const lines = ["日本語 ✓", "שלום", "café naïve", "👩‍💻 done"];
    expect(await shown(lines.join("\r\n"))).toEqual(lines);
  });

  it("are well-formed, whatever was printed", async () => {
    const garbage = fc.string({
      unit: fc.constantFrom(
        "\x1b",
        "[",
        "]",
        "?",
        ";",
        "9",
        "H",
        "J",
        "m",
        "P",
        "\\",
        "\ud83d",
        "x",
        "\r",
        "\n",
        "\0",
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(garbage, { maxLength: 20 }), async (pieces) => {
        const screen = new Screen(SIZE);
        for (const piece of pieces) void screen.write(piece);
        await screen.write("");
        const lines = screen.lines();
        screen.close();
        expect(lines.every((line) => line.isWellFormed())).toBe(true);
        expect(lines.length).toBeLessThanOrEqual(SIZE.rows + SIZE.scrollback);
      }),
    );
  });
});

it("reports whether lines were lost", async () => {
  const screen = new Screen({ ...SIZE, scrollback: 10 });
  await screen.write("line\r\n".repeat(13));
  expect(screen.hasLost).toBe(false);
  await screen.write("line\r\n".repeat(2));
  expect(screen.hasLost).toBe(true);
  await screen.write("\x1b[?1049h");
  expect(screen.hasLost).toBe(false);
  screen.close();
});

it("answers a program's queries to its terminal", async () => {
  const answers: string[] = [];
  await shown("two\r\nlines\x1b[6n\x1b[c", { onAnswer: (answer) => answers.push(answer) });
  expect(answers).toEqual(["\x1b[2;6R", "\x1b[?1;2c"]);
});

it("can be resized", async () => {
  const screen = new Screen(SIZE);
  await screen.write(`${"0123456789".repeat(5)}\r\n`);
  screen.resize(80, 10);
  await screen.write("\x1b[999;999H*");
  expect(screen.lines()).toEqual(["0123456789".repeat(5), ...Array(8).fill(""), `${" ".repeat(79)}*`]);
  screen.close();
});

describe("as output", () => {
  const coloured = (n: number) => `\x1b[3${n % 8}mline ${n}\x1b[0m\r\n`;
  const lines = Array.from({ length: 60 }, (_, n) => coloured(n)).join("");

  it.each([
    ["lines that scrolled away", lines],
    ["a full-screen program", `${lines}\x1b[?1049h\x1b[2J\x1b[2;3H\x1b[7mmenu\x1b[0m\x1b[?2004h`],
    ["wide characters", "漢字🌳\r\n👩‍💻 e\u0301"],
  ])("%s look the same on another terminal, whatever it showed before", async (_, output) => {
    const screen = new Screen(SIZE);
    await screen.write(output);
    const other = new Screen(SIZE);
    await other.write("earlier\r\n\x1b[?1049hearlier");
    await other.write(await screen.asOutput(100_000));
    expect(other.lines()).toEqual(screen.lines());
    expect(other.bracketedPaste).toBe(screen.bracketedPaste);
    expect(await other.asOutput(100_000)).toBe(await screen.asOutput(100_000));
    // The cursor is at the same place.
    for (const one of [screen, other]) await one.write("X");
    expect(other.lines()).toEqual(screen.lines());
  });

  it("has nothing that was written after the call", async () => {
    const screen = new Screen(SIZE);
    void screen.write("before");
    const output = screen.asOutput(1_000);
    void screen.write(", after");
    expect(await output).toBe("\x1bcbefore");
  });

  it("is never longer than allowed: it has less of the scrollback, and in the end fewer lines", async () => {
    const screen = new Screen(SIZE);
    await screen.write(lines);
    const all = await screen.asOutput(100_000);
    const short = await screen.asOutput(all.length - 1);
    expect(short.length).toBeLessThan(all.length);
    expect(short).toContain("line 59");
    const shortest = await screen.asOutput(12);
    expect(shortest.length).toBeLessThanOrEqual(12);
    expect(shortest.endsWith("line 59")).toBe(true);
  });
});
