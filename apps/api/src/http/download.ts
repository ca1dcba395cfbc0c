import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { FastifyPluginAsync } from "fastify";
import { engines, version } from "../../package.json";
import type { Services } from "../services";
import { installScript } from "./installScript";

/** The packed device agent has half a MiB. Something much larger is another file. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Serves the device agent, so that a machine installs it from its own server:
 * - GET /download/grove-device.tgz: the device agent, packed for npm. The file is read once, at the start. `etag` is
 *   its SHA-256 in hexadecimal digits, and `repr-digest` the same as RFC 9530 has it.
 * - GET /install.sh: a script that installs this very file and makes the machine a device of PUBLIC_URL, or of the
 *   address from which it was requested.
 */
export const downloadRoutes: FastifyPluginAsync<Pick<Services, "config" | "log">> = async (
  server,
  { config, log },
) => {
  const { deviceTarball } = config;
  if (deviceTarball === undefined) return;
  const content = await readWhole(deviceTarball).catch((error) => {
    log.warn(
      { err: error, deviceTarball },
      "the device agent cannot be read, so machines cannot download it",
    );
  });
  if (content === undefined) return;
  const hash = createHash("sha256").update(content).digest();
  const sha256 = hash.toString("hex");
  const etag = `"${sha256}"`;
  const headers = {
    etag,
    "repr-digest": `sha-256=:${hash.toString("base64")}:`,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  };
  server.get("/download/grove-device.tgz", async (request, reply) => {
    reply.headers(headers);
    const knownTags = request.headers["if-none-match"]
      ?.split(",")
      .map((tag) => tag.trim().replace(/^W\//, ""));
    if (knownTags?.includes(etag)) return reply.status(304).send();
    return reply.type("application/gzip").send(content);
  });
  server.get("/install.sh", async (request, reply) => {
    const address = config.publicUrl ?? `${request.protocol}://${request.host}`;
    const minNode = engines.node.replace(">=", "");
    reply.headers({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    return reply
      .type("text/x-shellscript; charset=utf-8")
      .send(installScript({ address, version, sha256, minNode }));
  });
};

/** @throws {Error} if the file does not exist, or is too large */
async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
