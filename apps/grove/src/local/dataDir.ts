import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceFile, localFile, messageOf } from "@grove/schemas";
import * as z from "zod";
import { UserError } from "../errors";

/** `DATA_DIR/owner.json`: the account that local mode made for this machine's owner (mode 0600). */
const ownerFile = z.object({ email: z.string(), password: z.string() });
export type OwnerFile = z.infer<typeof ownerFile>;

/** The files of local mode. The embedded database is beside them. */
export interface DataDir {
  root: string;
  groveHome: string;
  logs: string;
  owner: PrivateFile<typeof ownerFile>;
  local: PrivateFile<typeof localFile>;
  device: PrivateFile<typeof deviceFile>;
  /** Written by the API; see its `proofKey.ts`. */
  proofKey: string;
}

/** The layout of a data directory. Creates nothing. */
export function dataDirAt(root: string): DataDir {
  const groveHome = join(root, "device");
  return {
    root,
    groveHome,
    logs: join(root, "logs"),
    owner: new PrivateFile(join(root, "owner.json"), ownerFile),
    local: new PrivateFile(join(root, "local.json"), localFile),
    device: new PrivateFile(join(groveHome, "device.json"), deviceFile),
    proofKey: join(root, "proof.key"),
  };
}

/**
 * Makes a data directory if there is none. It holds keys, so only its owner can access it.
 * @throws {UserError} if that is not possible
 */
export async function openDataDir(root: string): Promise<DataDir> {
  const dir = dataDirAt(root);
  try {
    await mkdir(dir.logs, { recursive: true, mode: 0o700 });
    // A mode that keeps others out is not touched: file systems without modes refuse any change.
    if (((await stat(root)).mode & 0o077) !== 0) await closeToOthers(root);
  } catch (error) {
    throw new UserError(`Cannot use ${root} for data: ${messageOf(error)}. Choose another with --data-dir.`);
  }
  return dir;
}

/** @throws {Error} if the file system cannot do that. The directory holds keys, so that ends the start. */
async function closeToOthers(root: string): Promise<void> {
  await chmod(root, 0o700).catch((error: Error) => {
    throw new Error(
      `other users can read it, and its file system does not allow another mode (${error.message})`,
    );
  });
}

/** A JSON file with secrets in it: mode 0600, replaced as a whole. */
class PrivateFile<Schema extends z.ZodType> {
  readonly path: string;
  readonly #schema: Schema;

  constructor(path: string, schema: Schema) {
    this.path = path;
    this.#schema = schema;
  }

  /**
   * Reads the file; undefined if there is none.
   * @throws {UserError} if its content is not valid
   */
  async read(): Promise<z.output<Schema> | undefined> {
    try {
      return this.#schema.parse(JSON.parse(await readFile(this.path, "utf8")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new UserError(
        `${this.path} cannot be read: ${explain(error)}. Restore it, or start with another --data-dir.`,
      );
    }
  }

  /** Readers see the old content or the new, even if the launcher is killed or the power fails. */
  async write(content: z.input<Schema>): Promise<void> {
    const draft = `${this.path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, {
        mode: 0o600,
        flag: "wx",
        flush: true,
      });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Removes the file, if there is one. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

// Messages of zod and JSON.parse must not be shown as they are, since they can contain a part of the file.
function explain(error: unknown): string {
  if (error instanceof SyntaxError) return "it is not JSON";
  if (error instanceof z.ZodError)
    return `${error.issues.map(({ path }) => path.join(".")).join(", ")} is wrong or missing`;
  return messageOf(error);
}
