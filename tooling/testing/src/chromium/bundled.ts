import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Found } from "./find";
import { chromiumPackage } from "./present.js";

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/**
 * The headless Chromium that `@sparticuz/chromium` ships, unpacked once.
 * @returns undefined if the package was not installed or has no browser for the platform
 */
export async function bundledChromium(): Promise<Found | undefined> {
  const entry = chromiumPackage();
  if (entry === undefined) return undefined;
  const { version } = JSON.parse(await readFile(join(dirname(entry), "../../package.json"), "utf8"));
  const directory = join(cache, `chromium-${version}`);
  if (!existsSync(directory)) await unpack(entry, directory);
  const path = join(directory, "chromium");
  return { path, env: { ...libraries(path, directory), ...fonts(directory) } };
}

/**
 * Lets the package unpack into a separate directory that is renamed when complete, since several test workers do this
 * at the same time. The package unpacks into TMPDIR, and its libraries only if it takes the machine for AWS Lambda.
 */
async function unpack(entry: string, directory: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "unpacking-"));
  try {
    const script = `(await import(${JSON.stringify(pathToFileURL(entry).href)})).default.executablePath()`;
    const run = ["--input-type=module", "-e", `const chromium = ${script}; await chromium;`];
    await promisify(execFile)(process.execPath, run, {
      env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
    });
    const fontsConf = `<?xml version="1.0"?>\n<fontconfig><dir>${directory}/fonts</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>\n`;
    await writeFile(join(staging, "fonts.conf"), fontsConf);
    await rename(staging, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Chromium is linked against NSS and expat, which a minimal machine may lack. */
function libraries(path: string, directory: string): Record<string, string> {
  const linked = execFileSync("ldd", [path], { encoding: "utf8" });
  return linked.includes("not found") ? { LD_LIBRARY_PATH: join(directory, "al2023/lib") } : {};
}

/** Without any font, Chromium draws no text and gives it no size. */
const fonts = (directory: string): Record<string, string> =>
  existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: join(directory, "fonts.conf") };
