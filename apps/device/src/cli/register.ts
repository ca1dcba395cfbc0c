import { link, open, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { createClient } from "@grove/client";
import { credentialPrefixes, DEFAULT_API_URL, type DeviceFile, type Platform } from "@grove/schemas";
import type { Command } from "commander";
import { explainFailure } from "../cloud/deviceApi";
import { type Env, readEnv } from "../env";
import { openHome } from "../home/home";
import { runningAgent } from "../home/homeLock";
import { readRegistration } from "../home/registration";
import { isErrno, syncDirectory, temporaryBeside } from "../lib/fileSystem";
import { pair, redeem } from "./pair";
import { example, note, print } from "./usage";

interface RegisterOptions {
  apiUrl?: string;
  name?: string;
  organization?: string;
  token?: string;
  force?: boolean;
}

/** `grove-device register` */
export function addRegisterCommand(program: Command): void {
  program
    .command("register")
    .description("Register this machine: by a code that a member approves in the console, or with API_KEY.")
    .option("--api-url <url>", "where the API is (default: API_URL)")
    .option("--name <name>", "the device's name (default: the host name)")
    .option("--organization <id>", "the organization, if the key does not determine it")
    .option("--token <token>", "a registration token, from the console")
    .option("--force", "register again, as another device")
    .addHelpText(
      "after",
      example(
        "grove-device register --api-url https://grove.example.com",
        `API_KEY=${credentialPrefixes.api_key}... grove-device register --api-url https://grove.example.com`,
      ),
    )
    .action((options) => register(readEnv(), options));
}

/**
 * Registers this machine as a device and stores its device key in GROVE_HOME, mode 0600. The registration token or the
 * API key determines the organization. Without these options, the member who approves the machine's code chooses. The
 * file is created before the device, so a full disk leaves neither.
 * @throws {Error} if the machine is already registered (unless `force`), and with the API's message if it refuses
 */
async function register(env: Env, options: RegisterOptions): Promise<void> {
  const home = await openHome(env.groveHome);
  if (!options.force) {
    const registered = await readRegistration(home);
    if (registered)
      throw new Error(
        `This machine is already registered as device ${registered.deviceId} at ${registered.apiUrl}. Use --force to register it again.`,
      );
  }
  const agent = await runningAgent(home);
  if (agent !== undefined)
    throw new Error(`grove-device (pid ${agent}) runs on ${home.root}. Stop it before registering again.`);

  const apiUrl = (options.apiUrl ?? env.apiUrl ?? DEFAULT_API_URL).replace(/\/+$/, "");
  if (!/^https?:\/\//.test(apiUrl) || !URL.canParse(apiUrl))
    throw new Error(`"${apiUrl}" is not an http or https address.`);
  if (isInTheClear(apiUrl)) note(`Warning: ${apiUrl} is not https, so keys travel unencrypted.`);
  const client = createClient({ apiUrl, token: env.apiKey });
  const machine = { name: options.name ?? hostname(), platform: platform() };
  const temporary = temporaryBeside(home.deviceFile);
  const file = await open(temporary, "wx", 0o600);
  try {
    // Reserve the disk space now, not after the device exists.
    await file.writeFile(" ".repeat(2_000));
    await file.sync();
    const device = await explainFailure(apiUrl, async () => {
      if (options.token !== undefined) return redeem(client, options.token, machine);
      if (env.apiKey === undefined) return pair(client, apiUrl, machine);
      const organizationId = options.organization ?? (await onlyOrganization(client));
      return client.device.register.mutate({ organizationId, ...machine });
    });
    const { id, organizationId, apiKey, name } = device;
    const content: DeviceFile = { apiUrl, deviceKey: apiKey, deviceId: id, organizationId };
    const { bytesWritten } = await file.write(`${JSON.stringify(content, null, 2)}\n`, 0);
    await file.truncate(bytesWritten);
    await file.sync();
    await (options.force ? rename(temporary, home.deviceFile) : linkInPlace(temporary, home.deviceFile, id));
    await syncDirectory(home.root);
    print(`Registered "${name}" as device ${id}. Run \`grove-device start\`.`);
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
}

/** Unlike a rename, a link does not replace a file that another `register` has put there in the meantime. */
async function linkInPlace(temporary: string, path: string, deviceId: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
    throw new Error(
      `This machine was registered by another process in the meantime. Revoke the device ${deviceId}.`,
    );
  }
}

async function onlyOrganization(client: ReturnType<typeof createClient>): Promise<string> {
  const [organization, ...others] = await client.organization.list.query();
  if (!organization) throw new Error("This key belongs to no organization. Create an API key in one.");
  if (others.length > 0)
    throw new Error(
      `This key belongs to several organizations; name one with --organization: ${[organization, ...others]
        .map(({ id, name }) => `${id} (${name})`)
        .join(", ")}.`,
    );
  return organization.id;
}

function isInTheClear(apiUrl: string): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === "http:" && !/^(localhost|127\..*|\[::1\])$/.test(hostname);
}

const platform = (): Platform =>
  process.platform === "darwin" ? "mac" : process.platform === "win32" ? "windows" : "linux";
