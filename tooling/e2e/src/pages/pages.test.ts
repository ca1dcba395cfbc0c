import { existsSync, readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { startProgram, succeed } from "@grove/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grove } from "../support/grove";
import { createMachine, type Machine } from "../support/machine";
import { createRepository } from "../support/repository";
import { casesOf, commandsOf, readPages, root, runOf } from "./blocks";
import { firstJourney, type Journey } from "./firstJourney";
import { callsIn, createHelp, listedIn } from "./help";
import { provenElsewhere } from "./provenElsewhere";
import { openShell, programs } from "./shell";
import { shipCommands } from "./shipCommands";

const pages = await readPages();
const commands = commandsOf(pages);

let machine: Machine;
let journey: Journey;

beforeAll(async () => {
  machine = await createMachine();
  const home = machine.env.HOME ?? "";
  const dataDir = join(machine.root, "data");
  await symlink(root, join(home, "grove"));
  await createRepository({ ...machine, root: home }, "shop");
  machine.env.DATA_DIR = dataDir;
  const program = startProgram(grove("start", "--port", "0"), { env: machine.env, cwd: root });
  journey = { home, dataDir, grove: program, shell: await openShell(machine) };
  await program.waitForLine("Ctrl+C stops it");
});

afterAll(async () => {
  await journey?.grove.end("SIGINT");
  await machine.remove();
});

describe("the commands of the pages", () => {
  it("are each run here or in .ci/ship, or proven elsewhere for a reason", () => {
    const places = commands.map((command) => {
      const { page, line, text } = command;
      const isElsewhere = ({ page: other, begins }: (typeof provenElsewhere)[number]) =>
        other === page && begins.some((begin) => text.startsWith(begin));
      const found = [
        runOf(firstJourney, command),
        runOf(shipCommands, command),
        provenElsewhere.find(isElsewhere),
      ];
      return { place: `${page}:${line}: ${text}`, in: found.filter(Boolean).length };
    });
    expect(places.filter((each) => each.in !== 1)).toEqual([]);
  });

  it("are not named where no page has them, or by a file that no longer exists", () => {
    const named = [firstJourney, shipCommands].flatMap((table) =>
      Object.entries(table).flatMap(([page, runs]) => Object.keys(runs).map((begin) => [page, begin])),
    );
    const proven = provenElsewhere.flatMap(({ page, begins }) => begins.map((begin) => [page, begin]));
    const unused = [...named, ...proven].filter(
      ([page, begin = ""]) => !commands.some((each) => each.page === page && each.text.startsWith(begin)),
    );
    expect(unused).toEqual([]);
    expect(provenElsewhere.filter(({ by }) => !existsSync(join(root, by)))).toEqual([]);
  });

  it("name only scripts that the manifests have", () => {
    const scripts = (path: string): object =>
      JSON.parse(readFileSync(join(root, path), "utf8")).scripts ?? {};
    const folders = new Map(
      [...pages.keys()].flatMap((page) => {
        const manifest = page.replace(/README\.md$/, "package.json");
        if (manifest === page || !existsSync(join(root, manifest))) return [];
        return [[JSON.parse(readFileSync(join(root, manifest), "utf8")).name as string, manifest]];
      }),
    );
    const missing = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/(?:`|^)(?:p?npm)(?: --filter\s(\S+))?(?: run)?\s([a-z-]+)/gm)]
        .filter(([, name, script = ""]) => {
          if (["install", "uninstall", "pack", "publish", "exec", "vitest", "biome"].includes(script))
            return false;
          const manifest = name === undefined ? "package.json" : folders.get(name);
          return manifest === undefined || !(script in scripts(manifest));
        })
        .map(([call]) => `${page}: ${call}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(casesOf(firstJourney, commands))("$name", ({ run }) => run(journey));
});

describe("--help", () => {
  const about: Record<keyof typeof programs, string[]> = {
    grove: ["apps/grove/README.md"],
    "grove-api": ["apps/api/README.md", "apps/api/OPERATE.md"],
    "grove-device": ["apps/device/README.md", "apps/device/src/tools/README.md"],
    "grove-mcp-cloud": ["apps/mcp-cloud/README.md"],
    "grove-mcp-desktop": ["apps/mcp-desktop/README.md"],
  };
  let help: ReturnType<typeof createHelp>;
  beforeAll(() => {
    help = createHelp(journey.shell.env);
  });

  it.each(Object.entries(about))("of %s lists nothing that its README leaves out", async (program, own) => {
    const text = own.map((page) => pages.get(page)).join("\n");
    const listed = listedIn(await help.of(program));
    expect(listed.length).toBeGreaterThan(5);
    expect(listed.filter((word) => !new RegExp(`(?<![\\w-])${word}\\b`).test(text))).toEqual([]);
  });

  it("lists every command and option that a page gives to one of our programs", async () => {
    const calls = [...pages].flatMap(([page, text]) => callsIn(text).map((call) => ({ page, call })));
    expect(calls.length).toBeGreaterThan(30);
    const unknown: string[] = [];
    for (const { page, call } of calls)
      unknown.push(...(await help.unknownIn(call)).map((words) => `${page}: ${words}`));
    expect(unknown).toEqual([]);
  });

  it("of our programs is answered as `--version` is, with the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const { env } = journey.shell;
    const outputs = await Promise.all(
      Object.keys(programs).map((program) => succeed([program, "--version"], { env })),
    );
    expect(new Set(outputs)).toEqual(new Set([`${version}\n`]));
  });
});
