import { readFile } from "node:fs/promises";
import { Exit, type Logger, type OwnOptions } from "@grove/mcp";
import { messageOf } from "@grove/schemas";
import { originOf } from "./access/origins";
import { keepAll, type Redact, redactor } from "./access/redact";
import type { DesktopOptions } from "./desktop";

interface Settings {
  readonly cdpUrl: string;
  readonly appUrl: string | undefined;
  readonly chromiumPath: string | undefined;
  readonly searchPath: string;
}

/**
 * The server's options from the command line and the environment.
 * @throws {Exit} 1 with the reason
 */
export async function readOptions(own: OwnOptions, settings: Settings, log: Logger): Promise<DesktopOptions> {
  const { cdpUrl, appUrl, chromiumPath, searchPath } = settings;
  const launch = async () => {
    const { launcher } = await import("./browser/launch");
    return launcher({ chromiumPath, searchPath, headless: own.headless === true });
  };
  return {
    cdpUrl,
    appUrl,
    origins: readOrigins(own["allow-origin"]),
    redact: await readSecrets(own.secrets),
    log,
    ...(own.launch === true && { launch: await launch() }),
  };
}

function readOrigins(list: OwnOptions[string]): string[] {
  if (typeof list !== "string") return [];
  return list.split(",").map((text) => {
    const origin = originOf(text.trim());
    if (origin === undefined)
      throw new Exit(1, `--allow-origin: ${text} is not an origin such as https://example.com`);
    return origin;
  });
}

async function readSecrets(file: OwnOptions[string]): Promise<Redact> {
  if (typeof file !== "string") return keepAll;
  try {
    return redactor(await readFile(file, "utf8"));
  } catch (error) {
    throw new Exit(1, `--secrets ${file}: ${messageOf(error)}`);
  }
}
