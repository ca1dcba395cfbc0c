import * as z from "zod";
import { type Home, readIfThere } from "./home";

const config = z.strictObject({
  /** Whether `.grove/setup` and `.grove/teardown` of repositories run on this machine. */
  allowRepositoryScripts: z.boolean().default(false),
  /** How long each of them may take. */
  scriptTimeoutSeconds: z.int().min(1).max(3_600).default(300),
});
export type Config = z.infer<typeof config>;

/**
 * What this machine's user has decided, in `config.json` of its GROVE_HOME; the defaults where there is none. It is read
 * at every use, so that a change needs no restart.
 * @throws Error naming the file and what is wrong in it
 */
export async function readConfig({ configFile }: Home): Promise<Config> {
  const content = await readIfThere(configFile);
  if (content === undefined) return config.parse({});
  try {
    return config.parse(JSON.parse(content));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${configFile} cannot be used: ${why}`, { cause: error });
  }
}
