import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "@grove/db";
import type { ReportedRequest } from "@grove/schemas";
import { afterAll } from "vitest";
import { projectFields } from "../testing/fixtures";
import type { Person, TestServer } from "../testing/server";

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An HTTP server that receives what is posted to it, and answers with `status`, by default 201. */
export async function useReceiver() {
  const received: Received[] = [];
  const state = {
    received,
    url: "",
    host: "",
    status: (_path: string): number => 201,
    /** Closes the connection without a response. */
    hangsUp: (_path: string): boolean => false,
    at: (path: string) => received.filter((one) => one.path === path),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      if (state.hangsUp(path)) request.socket.destroy();
      else response.writeHead(state.status(path)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  state.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.url = `http://${state.host}`;
  return state;
}

export type Receiver = Awaited<ReturnType<typeof useReceiver>>;

/** A browser at the receiver's push service: it decrypts what arrives, by RFC 8291 and 8188. */
export function createBrowser(receiver: Receiver) {
  const keys = createECDH("prime256v1");
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  const path = `/push/${newId()}`;
  const decrypt = (body: Buffer) => {
    const [salt, sender, encrypted] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
    const hkdf = (secret: Buffer, with_: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, with_, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
    const input = hkdf(keys.computeSecret(sender), auth, info, 32);
    const key = hkdf(input, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = hkdf(input, salt, "Content-Encoding: nonce\0", 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(encrypted.subarray(-16));
    const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as Record<string, string>;
  };
  return {
    path,
    subscription: {
      endpoint: `${receiver.url}${path}`,
      p256dh: publicKey.toString("base64url"),
      auth: auth.toString("base64url"),
      label: "Firefox",
    },
    requests: () => receiver.at(path),
    messages: () => receiver.at(path).map(({ body }) => decrypt(body)),
  };
}

/** Whether a VAPID header (RFC 8292) is signed with the key that it names, for this audience. */
export function isSigned(authorization: string | undefined, audience: string): boolean {
  const [, head = "", claims = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization ?? "") ?? [];
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const { aud } = JSON.parse(Buffer.from(claims, "base64url").toString());
  return (
    aud === audience &&
    verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    )
  );
}

export const asked = (fields: Partial<ReportedRequest> = {}): ReportedRequest => ({
  id: newId(),
  kind: "permission",
  tool: "Bash",
  title: "Bash: deploy --token hunter2",
  input: "deploy --token hunter2",
  questions: [],
  isAnswerable: true,
  scopes: ["once"],
  ageMs: 10,
  ...fields,
});

/** A running session of `starter` on a device of `owner`, in the worktree `login-form`. */
export async function startSession(server: TestServer, owner: Person, starter: Person = owner) {
  const { organizationId, client } = owner;
  const device = await client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
  const project = await client.project.create.mutate({ organizationId, ...projectFields() });
  const workspace = await client.workspace.create.mutate({
    organizationId,
    projectId: project.id,
    name: "login-form",
    type: "worktree",
    config: {},
  });
  const id = newId();
  await server.database.db
    .insertInto("agent_sessions")
    .values({
      organization_id: organizationId,
      id,
      device_id: device.id,
      workspace_id: workspace.id,
      agent: "claude",
      name: "Use the password hunter2",
      started_by: starter.user.id,
    })
    .execute();
  let number = 0;
  const report = (
    state: "working" | "needs_permission" | "done" | "limited" | "failed",
    ...requests: ReportedRequest[]
  ) =>
    server.client(device.apiKey).agent.reportSession.mutate({
      type: "state",
      id,
      number: ++number,
      state,
      source: "hook",
      ageMs: 0,
      requests,
    });
  return {
    id,
    projectId: project.id,
    /** Reports that the agent has these requests open. */
    reportRequests: (...requests: ReportedRequest[]) => report("needs_permission", ...requests),
    report,
    /** Repeats the last report. */
    repeat: (...requests: ReportedRequest[]) => {
      number--;
      return report("needs_permission", ...requests);
    },
  };
}
