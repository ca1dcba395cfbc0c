import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../errors";

const manifests = {
  api: () => import.meta.resolve("@grove/api/package.json"),
  device: () => import.meta.resolve("@grove/device/package.json"),
  mcpCloud: () => import.meta.resolve("@grove/mcp-cloud/package.json"),
};

/**
 * The file that a program of another package starts with, wherever that package is installed.
 * @throws {UserError} when it has not been built
 */
export function programPath(program: keyof typeof manifests): string {
  const manifest = manifests[program]();
  const { name, bin } = JSON.parse(readFileSync(fileURLToPath(manifest), "utf8")) as {
    name: string;
    bin: Record<string, string>;
  };
  const path = fileURLToPath(new URL(Object.values(bin)[0] ?? "", manifest));
  if (!existsSync(path)) throw new UserError(`${name} is not built: run \`npm run build\` first.`);
  return path;
}

/** This program's own file, once it is built. */
export const launcherPath = fileURLToPath(new URL("./main.js", import.meta.url));

/** The root of the repository that this program was built in; undefined where it was installed as a package. */
export function repositoryRoot(): string | undefined {
  const root = dirname(dirname(dirname(dirname(launcherPath))));
  return existsSync(join(root, "pnpm-workspace.yaml")) ? root : undefined;
}
