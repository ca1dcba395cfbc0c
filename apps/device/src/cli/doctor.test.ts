import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type DoctorFinding, deviceTools } from "@grove/schemas";
import { useApi } from "@grove/test-api";
import { selfSigned } from "@grove/testing/certificate";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { groveDevice, registerMachine, startAgent } from "../testing/program";

const api = useApi();

async function doctor(env: NodeJS.ProcessEnv) {
  const { code, stdout } = await groveDevice(["doctor", "--json"], env);
  const { healthy, findings }: { healthy: boolean; findings: DoctorFinding[] } = JSON.parse(stdout);
  const found = (check: string) => findings.find((finding) => finding.check === check);
  return { code, healthy, findings, found };
}

/** A test's own server, on a free port. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy to the API that reads each answer to its end before it passes anything on. */
function bufferingProxy(): Promise<string> {
  const passOn = async (answer: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(answer);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
  };
  const proxy = createServer((incoming, outgoing) => {
    // The API accepts requests only for its own host name.
    const headers = { ...incoming.headers, host: new URL(api.url).host };
    const url = new URL(incoming.url ?? "/", api.url);
    const upstream = request(
      url,
      { method: incoming.method, headers },
      (answer) => void passOn(answer, outgoing),
    );
    incoming.pipe(upstream);
  });
  return listen(proxy);
}

it("on a healthy machine every check passes, and the running agent's stream is left alone", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"msg":"connected"');
  const { code, findings, found } = await doctor(machine.env);
  expect(findings.filter(({ state }) => state === "fail")).toEqual([]);
  expect(code).toBe(0);
  for (const check of ["git", "home", "config", "grove-device", "address", "clock", "credentials", "stream"])
    expect(found(check)).toMatchObject({ state: "ok" });
  expect(found("stream")?.message).toContain("as they are sent");
  expect(agent.stderr).not.toContain("not connected; trying again");
  const { client, organizationId, deviceId } = machine;
  const asked = { organizationId, deviceId, tool: "run_doctor", params: {} };
  const { result } = await client.agent.execute.mutate(asked);
  const fromAfar = deviceTools.run_doctor.result.parse(result);
  expect(fromAfar.healthy).toBe(true);
  expect(fromAfar.findings.map(({ check }) => check)).toEqual(findings.map(({ check }) => check));
  const words = await groveDevice(["doctor"], machine.env);
  expect(words.stdout).toMatch(/^ok {4}git /m);
  expect(words.stdout).not.toContain("grd_");
});

it("problems on the machine are reported, with suggestions", async () => {
  const machine = await registerMachine(api);
  const home = machine.env.GROVE_HOME;
  await chmod(home, 0o755);
  await chmod(join(home, "device.json"), 0o644);
  await writeFile(join(home, "config.json"), '{ "allowRepositoryScripts": 1 }', { mode: 0o600 });
  const bin = join(machine.directory, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "git"), "#!/bin/sh\necho git version 2.20.1\n");
  await chmod(join(bin, "git"), 0o755);
  const { code, found } = await doctor({ ...machine.env, PATH: bin });
  expect(code).toBe(1);
  expect(found("home")).toMatchObject({ state: "fail", todo: `Run: chmod 700 '${home}'` });
  expect(found("key")).toMatchObject({ state: "fail", todo: expect.stringContaining("chmod 600") });
  expect(found("config")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("allowRepositoryScripts"),
  });
  expect(found("git")).toMatchObject({ state: "fail", todo: expect.stringContaining("2.31") });
  expect(found("grove-device")).toMatchObject({
    state: "warn",
    todo: expect.stringContaining("grove-device start"),
  });
  await rm(join(bin, "git"));
  const without = await doctor({ ...machine.env, PATH: bin });
  expect(without.found("git")).toMatchObject({ state: "fail", message: expect.stringContaining("no git") });
});

it("an unregistered machine, and an API that does not answer or is another program", async () => {
  const home = join(await temporaryDirectory(), "home");
  const gone = createServer();
  const nowhere = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  const nobody = await doctor({ GROVE_HOME: home, API_URL: nowhere });
  expect(nobody.code).toBe(1);
  expect(nobody.found("home")).toMatchObject({ state: "fail" });
  expect(nobody.found("registration")).toMatchObject({
    state: "fail",
    todo: expect.stringContaining("register"),
  });
  expect(nobody.found("address")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("ECONNREFUSED"),
  });

  const other = await listen(createServer((_, response) => response.end("<html>")));
  const elsewhere = await doctor({ GROVE_HOME: home, API_URL: other });
  expect(elsewhere.found("address")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("this is not Grove"),
  });
  const notTls = await doctor({ GROVE_HOME: home, API_URL: other.replace("http:", "https:") });
  expect(notTls.found("tls")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("no TLS connection"),
  });
});

it("a certificate that is untrusted, expires soon, has expired, or is for another host", async () => {
  const directory = await temporaryDirectory();
  const examine = async (days: number, { trusted = true, host = "localhost" } = {}) => {
    const { key, cert } = selfSigned("localhost", days);
    const server = createTlsServer({ key, cert }, (_, response) => response.end('{"status":"ok"}'));
    const { port } = new URL(await listen(server));
    const authority = join(directory, "authority.pem");
    await writeFile(authority, cert);
    const trust = trusted ? { NODE_EXTRA_CA_CERTS: authority } : {};
    return doctor({ GROVE_HOME: directory, API_URL: `https://${host}:${port}`, ...trust });
  };
  const good = await examine(100);
  expect(good.found("tls")).toMatchObject({ state: "ok", message: expect.stringContaining("valid until") });
  expect(good.found("address")).toMatchObject({ state: "ok" });
  expect((await examine(10)).found("tls")).toMatchObject({
    state: "warn",
    todo: expect.stringContaining("expires in"),
  });
  for (const [finding, todo] of [
    [await examine(100, { trusted: false }), "NODE_EXTRA_CA_CERTS"],
    [await examine(0.5), "Renew it"],
    [await examine(100, { host: "127.0.0.1" }), "host name"],
  ] as const)
    expect(finding.found("tls")).toMatchObject({ state: "fail", todo: expect.stringContaining(todo) });
});

it("a revoked key", async () => {
  const machine = await registerMachine(api);
  const { client, organizationId, deviceId } = machine;
  await client.device.revoke.mutate({ organizationId, id: deviceId });
  const { code, found } = await doctor(machine.env);
  expect(code).toBe(1);
  expect(found("credentials")).toMatchObject({
    state: "fail",
    todo: expect.stringContaining("register --force"),
  });
  expect(found("stream")).toBeUndefined();
});

it("a proxy that holds streams back", async () => {
  const machine = await registerMachine(api);
  const { code, found } = await doctor({ ...machine.env, API_URL: await bufferingProxy() });
  expect(found("credentials")).toMatchObject({ state: "ok" });
  expect(found("stream")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("arrived together"),
    todo: expect.stringContaining("buffering"),
  });
  expect(code).toBe(1);
});

it("a clock that is an hour off", async () => {
  const machine = await registerMachine(api);
  const registered = JSON.parse(await readFile(join(machine.env.GROVE_HOME, "device.json"), "utf8"));
  const late = await listen(
    createServer((_, response) => {
      response.setHeader("date", new Date(Date.now() - 3_600_000).toUTCString());
      response.end('{"status":"ok"}');
    }),
  );
  const { found } = await doctor({ ...machine.env, API_URL: late, DEVICE_KEY: registered.deviceKey });
  expect(found("clock")).toMatchObject({
    state: "warn",
    message: expect.stringMatching(/^this machine's clock is 3[56]\d\d s ahead/),
  });
});
