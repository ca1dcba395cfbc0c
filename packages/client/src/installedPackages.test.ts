import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, beforeAll, expect, it } from "vitest";

const packages = join(import.meta.dirname, "../..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

const program = `
import { allOf, type AppRouter, createClient, type ErrorData, errorData, type Outputs } from "@grove/client";
import type { Command } from "@grove/schemas";
import { createTRPCClient, type TRPCClient } from "@trpc/client";

const grove = createClient({ apiUrl: "http://127.0.0.1:3000", token: "grk_…" });
const organizationId = "0198a000-0000-7000-8000-000000000001";
for await (const device of allOf((page) => grove.device.list.query({ organizationId, ...page })))
  device.platform satisfies "mac" | "windows" | "linux";
const workspace: Outputs["workspace"]["create"] = await grove.workspace.create.mutate({
  organizationId, projectId: organizationId, name: "One", type: "worktree", config: {},
});
workspace.createdAt satisfies string;
const command: Command = await grove.agent.execute.mutate({
  organizationId, deviceId: organizationId, tool: "list_projects", params: {},
});
command.result satisfies NonNullable<unknown> | null;
// @ts-expect-error: there is no such type of workspace
await grove.workspace.create.mutate({ ...workspace, type: "clone" });
const data: ErrorData | undefined = errorData(new Error());
data?.reason satisfies "device_offline" | string | undefined;
// The same type as with the project's own tRPC, which packages for React require.
grove satisfies TRPCClient<AppRouter>;
createTRPCClient<AppRouter>({ links: [] }) satisfies typeof grove;
`;

const projects = { current: "", earliest: "" };

/** Projects with the packages as npm would install them, without the monorepo. Each has a tRPC of its own. */
beforeAll(async () => {
  const root = await temporaryDirectory(afterAll);
  for (const trpc of ["current", "earliest"] as const) {
    const project = join(root, trpc);
    projects[trpc] = project;
    for (const name of ["client", "schemas"]) install(name, project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(project, "use.ts"), program);
  }
  for (const part of ["client", "server"]) {
    const copy = join(projects.earliest, "node_modules/@trpc", part);
    rmSync(copy);
    // Copied instead of linked, so that each part finds the other beside it.
    cpSync(realpathSync(join(packages, "client/node_modules", `earliest-trpc-${part}`)), copy, {
      recursive: true,
    });
  }
});

function install(name: string, project: string) {
  const from = join(packages, name);
  const to = join(project, "node_modules/@grove", name);
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  cpSync(join(from, "dist"), join(to, "dist"), { recursive: true });
  writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }));
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(project, "node_modules", dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(from, "node_modules", dependency), link);
  }
}

/** The earliest tRPC is the first version in the range of the peer dependencies. */
it.each([
  ["nodenext", "nodenext", "current"],
  ["esnext", "bundler", "current"],
  ["esnext", "bundler", "earliest"],
] as const)("is typed outside: module %s, resolution %s, %s tRPC", (module, moduleResolution, trpc) => {
  const project = projects[trpc];
  // The copy refers to declarations of Node and ws, which are not installed beside it.
  const skipLibCheck = trpc === "earliest";
  const compilerOptions = {
    ...{ module, moduleResolution, target: "es2022", lib: ["es2023", "esnext.disposable", "dom"] },
    ...{ strict: true, skipLibCheck, noEmit: true, types: [] },
  };
  const config = join(project, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
  expect(stdout).toBe("");
});
