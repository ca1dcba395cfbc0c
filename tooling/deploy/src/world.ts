import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@grove/client";
import { createDatabase, startPostgres } from "@grove/testing/postgres";
import { type Started, startProgram, succeed } from "@grove/testing/process";
import { signUp } from "@grove/testing/signUp";
import { until } from "@grove/testing/until";
import { ADDRESS, apiPorts, makeCertificate, startProxy } from "./proxy";

const { PATH } = process.env;
const built = (manifest: string) => join(dirname(fileURLToPath(manifest)), "dist", "main.js");
const api = built(import.meta.resolve("@grove/api/package.json"));
const device = built(import.meta.resolve("@grove/device/package.json"));

const METRICS_TOKEN = randomBytes(16).toString("hex");

/** How many announcements of commands, and of their ends, the instances have sent so far. */
export async function announcements(): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const pages = await Promise.all(
    apiPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()),
  );
  const sent = /^grove_announcements_sent_total\{channel="(?:device_wake|command_changed)"\} (\d+)$/gm;
  return pages.flatMap((page) => [...page.matchAll(sent)]).reduce((sum, [, count]) => sum + Number(count), 0);
}

/** One instance of the API, which can be killed and started again. */
interface Instance {
  end(signal: NodeJS.Signals): Promise<number | null>;
  start(): Promise<void>;
}

/** Two instances behind a proxy, a person, and a device that is online; all of them use only the proxy's address. */
export interface World {
  instances: [Instance, Instance];
  client: Client;
  token: string;
  organizationId: string;
  deviceId: string;
}

/** Builds the world behind one proxy, with its files in this directory. It ends with the process. */
export async function build(proxy: string, directory: string): Promise<World> {
  const postgres = await startPostgres({ fresh: true });
  const { url: DATABASE_URL } = await createDatabase(postgres.url);
  const CREDENTIALS_KEY = `1:${randomBytes(32).toString("base64")}`;
  const shared = {
    PATH,
    PUBLIC_URL: ADDRESS,
    TRUST_PROXY: "1",
    DATABASE_URL,
    CREDENTIALS_KEY,
    METRICS_TOKEN,
  };
  const instances: Instance[] = [];
  for (const port of apiPorts) {
    let program: Started | undefined;
    const start = async () => {
      program = startProgram([process.execPath, api], { env: { ...shared, PORT: String(port) } });
      await program.waitForLine('"msg":"listening"');
    };
    await start();
    instances.push({ start, end: (signal) => program?.end(signal) ?? Promise.resolve(null) });
  }
  await makeCertificate(directory);
  const running = await startProxy(proxy, directory);
  const answers = () =>
    fetch(`${ADDRESS}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(answers, "the proxy answers", 20_000).catch((error) => {
    throw new Error(`${error.message}\n${running.output}`);
  });

  const { token } = await signUp(ADDRESS);
  const client = createClient({ apiUrl: ADDRESS, token });
  const organizationId = (await client.organization.list.query())[0]?.id ?? "";
  const registration = await client.device.createRegistration.mutate({ organizationId, shared: false });
  const { deviceId } = registration;
  // The device trusts the proxy's certificate as it would trust an authority's.
  const env = { PATH, HOME: directory, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const register = ["register", "--api-url", ADDRESS, "--token", registration.token, "--name", "machine"];
  await succeed([process.execPath, device, ...register], { env });
  startProgram([process.execPath, device, "start"], { env });
  const list = () => client.device.list.query({ organizationId });
  await until(
    async () => (await list()).find(({ id }) => id === deviceId)?.status === "online",
    "it is online",
  );
  return { instances: instances as [Instance, Instance], client, token, organizationId, deviceId };
}
