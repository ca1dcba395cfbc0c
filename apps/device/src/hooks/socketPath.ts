import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Home } from "../home/home";

/** The longest path of a socket on macOS; Linux allows 107 bytes. */
const MAX_SOCKET_PATH_BYTES = 103;
const NAME = "hooks.socket";

/**
 * The path of a home's socket for hooks. If it would be too long, the socket is in a private directory elsewhere.
 * @throws {Error} if that directory is not this user's own
 */
export async function hookSocketPath(
  { root, runDir }: Pick<Home, "root" | "runDir">,
  { XDG_RUNTIME_DIR }: NodeJS.ProcessEnv,
): Promise<string> {
  const usual = join(runDir, NAME);
  if (Buffer.byteLength(usual) <= MAX_SOCKET_PATH_BYTES) return usual;
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const directory = join(XDG_RUNTIME_DIR ?? tmpdir(), `grove-${hash}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(directory);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(
      `Could not use ${directory}: another user owns it, or other users may access it. Remove it, or run: chmod 700 ${directory}`,
    );
  return join(directory, NAME);
}
