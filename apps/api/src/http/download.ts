import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { FastifyPluginAsync } from "fastify";
import type { Services } from "../services";

/** The packed agent has half a MiB. Something much larger is another file. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * GET /download/grove-device.tgz: the device agent, packed for npm, so that a machine installs it from the service that
 * it is going to work for. The file is read once, at the start. `etag` is its SHA-256 in hexadecimal digits, and
 * `repr-digest` the same as RFC 9530 has it.
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
  const etag = `"${hash.toString("hex")}"`;
  const headers = {
    etag,
    "repr-digest": `sha-256=:${hash.toString("base64")}:`,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  };
  server.get("/download/grove-device.tgz", async (request, reply) => {
    reply.headers(headers);
    const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    if (known?.includes(etag)) return reply.status(304).send();
    return reply.type("application/gzip").send(content);
  });
};

/** @throws {Error} if the file is not there, or too large */
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
