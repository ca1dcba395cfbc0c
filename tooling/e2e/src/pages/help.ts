import { succeed } from "@grove/testing/process";
import { programs } from "./shell";

/** A call of one of our programs that a page names. */
export interface Call {
  program: string;
  /** The line's first words: commands, if the program has any. */
  words: string[];
  options: string[];
}

const byPath = Object.entries(programs).map(([name, path]) => [path, name] as const);

/**
 * Finds the calls of our programs in the code of a page: they begin a span or a line with the program's name or path.
 */
export function callsIn(page: string): Call[] {
  const code = byPath.reduce(
    (text, [path, name]) => text.replaceAll(new RegExp(`node \\S*${path}`, "g"), name),
    page,
  );
  const called = /(?:`|^ *(?:\S*\$ )?(?:sudo (?:-E )?)?|-- )(grove(?:-[a-z]+)*)((?: [^\s`|&;#]+)+)/gm;
  return [...code.matchAll(called)].flatMap(([, program = "", rest = ""]) => {
    if (!(program in programs)) return [];
    const given = rest.trim().split(" ");
    const end = given.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    const words = end === -1 ? given : given.slice(0, end);
    return [{ program, words, options: given.filter((word) => /^--[a-z]/.test(word)) }];
  });
}

/** Asks programs for their `--help`, each command once. */
export function createHelp(env: NodeJS.ProcessEnv) {
  const asked = new Map<string, Promise<string>>();
  const help = (...words: string[]): Promise<string> => {
    const key = words.join(" ");
    const text = asked.get(key) ?? succeed([...words, "--help"], { env });
    asked.set(key, text);
    return text;
  };
  /** Whether `--help` lists a command or option: at the start of a line, or an option within one. */
  const lists = (text: string, word: string) =>
    new RegExp(word.startsWith("-") ? `[ |]${word}\\b` : `^ +(grove-\\S+ )?${word}\\b`, "m").test(text);
  return {
    of: help,
    /** The words of a call that the program's help does not list. */
    async unknownIn({ program, words, options }: Call): Promise<string[]> {
      const texts = [await help(program)];
      for (const [index, word] of words.entries()) {
        const [text = ""] = texts.slice(-1);
        // The words that follow are arguments.
        if (!/^Commands:/m.test(text) && index > 0) break;
        if (!lists(text, word)) return [[program, ...words].join(" ")];
        // The other programs have one page for all commands.
        if (/^Commands:/m.test(text)) texts.push(await help(program, ...words.slice(0, index + 1)));
      }
      return options
        .map((option) => option.replace(/=.*/, ""))
        .filter((option) => option !== "--help" && !texts.some((text) => lists(text, option)))
        .map((option) => [program, ...words, option].join(" "));
    },
  };
}

/** The commands, options and variables that a program's help lists. */
export const listedIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+|[A-Z][A-Z_]{3,}|[a-z][a-z-]*)\b/gm)]
    .map(([, word = ""]) => word)
    .filter((word) => !["help", "--help", "--version"].includes(word));
