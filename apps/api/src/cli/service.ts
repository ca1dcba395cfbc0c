import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messageOf } from "@grove/schemas";
import { codeOf } from "../lib/errorCode";
import { KEY_FILE, SETTINGS_FILE, serviceUnit, UNIT } from "./serviceUnit";

const SYSTEMCTL_MS = 60_000;

const settings = `# Settings of grove-api.service, as its README lists them. After a change: systemctl restart grove-api
# The database is embedded, in /var/lib/grove, unless this names a PostgreSQL.
#DATABASE_URL=postgres://grove:password@127.0.0.1:5432/grove
#PUBLIC_URL=https://grove.example.com
#TRUST_PROXY=1
SIGN_UP=invite
# The first owner; a link to choose the password is in the log: journalctl -u grove-api
#OWNER_EMAIL=ada@example.com
`;

/**
 * `grove-api service print` and `service install`: runs this program as a service of the machine, under systemd.
 * @throws {Error} with the next step
 */
export async function runService(what: string | undefined): Promise<void> {
  if (what !== "print" && what !== "install")
    throw new Error("Run grove-api service print, or grove-api service install as root.");
  // Bundled, this is a part of the file beside it.
  const program = fileURLToPath(new URL("./main.js", import.meta.url));
  const unit = serviceUnit([process.execPath, program]);
  if (what === "print") return void process.stdout.write(unit);
  if (process.getuid?.() !== 0) throw new Error("Only root can install a system service. Use sudo.");
  for (const path of [process.execPath, program])
    if (/^\/(home|root|run\/user|tmp|var\/tmp)\//.test(path))
      throw new Error(
        `The service cannot see ${path}. Install Node and this program for the whole machine, as in /usr/local.`,
      );
  requireSystemd();
  await mkdir(dirname(KEY_FILE), { recursive: true });
  await writeNew(KEY_FILE, `1:${randomBytes(32).toString("base64")}\n`);
  await writeNew(SETTINGS_FILE, settings);
  await writeFile(join("/etc/systemd/system", UNIT), unit);
  for (const args of [["daemon-reload"], ["enable", UNIT], ["restart", UNIT]]) await systemctl(args);
  process.stdout.write(
    `Installed and started ${UNIT}. Its settings are in ${SETTINGS_FILE}; keep a copy of ${KEY_FILE}.\nIts log: journalctl -u grove-api\n`,
  );
}

/** Writes a file, unless it exists: its owner may have edited it. */
async function writeNew(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: "wx", mode: 0o600 }).catch((error) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
}

function requireSystemd(): void {
  if (!existsSync("/run/systemd/system"))
    throw new Error("systemd is not running here. Run grove-api under another supervisor.");
}

async function systemctl(args: string[]): Promise<void> {
  await promisify(execFile)("systemctl", args, { timeout: SYSTEMCTL_MS }).catch((error) => {
    throw new Error(`systemctl ${args.join(" ")} failed: ${messageOf(error)}`);
  });
}
