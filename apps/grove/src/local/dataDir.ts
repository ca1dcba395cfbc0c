import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceFile, localFile } from "@grove/schemas";
import * as z from "zod";
import { UserError } from "../errors";

/** `DATA_DIR/owner.json`: the account that local mode made for this machine's owner (mode 0600). */
const ownerFile = z.object({ email: z.string(), password: z.string() });
export type OwnerFile = z.infer<typeof ownerFile>;

/** Where local mode keeps what; the embedded database lies beside these. */
export interface DataDir {
  root: string;
  groveHome: string;
  logs: string;
  owner: PrivateFile<typeof ownerFile>;
  local: PrivateFile<typeof localFile>;
  device: PrivateFile<typeof deviceFile>;
  /** The API's own; see its `proofKey.ts`. */
  proofKey: string;
}

/** The layout of a data directory; nothing is made. */
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
 * Makes a data directory where there is none; it holds keys, so only its owner gets in.
 * @throws {UserError} when that is not possible
 */
export async function openDataDir(root: string): Promise<DataDir> {
  const dir = dataDirAt(root);
  try {
    await mkdir(dir.logs, { recursive: true, mode: 0o700 });
    await chmod(root, 0o700);
  } catch (error) {
    throw new UserError(
      `Cannot use ${root} for data: ${(error as Error).message}. Choose another with --data-dir.`,
    );
  }
  return dir;
}

/** A JSON file with secrets in it: mode 0600, replaced as a whole. */
class PrivateFile<Schema extends z.ZodType> {
  constructor(
    readonly path: string,
    private readonly schema: Schema,
  ) {}

  /**
   * What it says; undefined where there is none.
   * @throws {UserError} when it is not what it should be
   */
  async read(): Promise<z.output<Schema> | undefined> {
    try {
      return this.schema.parse(JSON.parse(await readFile(this.path, "utf8")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new UserError(
        `${this.path} cannot be read: ${explain(error)}. Restore it, or start with another --data-dir.`,
      );
    }
  }

  /** Readers see the old content or the new, also when the launcher is killed or the power goes. */
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

  /** There may be none. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

// Neither zod's nor JSON's own messages may be shown as they are: they can hold a piece of the file.
function explain(error: unknown): string {
  if (error instanceof SyntaxError) return "it is not JSON";
  if (error instanceof z.ZodError)
    return `${error.issues.map(({ path }) => path.join(".")).join(", ")} is wrong or missing`;
  return (error as Error).message;
}
