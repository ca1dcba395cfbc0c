import { timeoutSignal } from "@grove/signals";
import { UserError } from "../errors";
import { dataDirAt } from "../local/dataDir";
import { findRunning } from "../local/overview";
import { makeLink } from "../local/signInLink";

/** `grove link`: prints another address that signs a browser in to the console. */
export async function printLink(dataDir: string): Promise<void> {
  const file = await findRunning(dataDir);
  if (!file) throw new UserError(`Grove is not running on ${dataDir}. Start it first.`);
  const address = await makeLink(file, dataDirAt(dataDir), { endEarlier: false }, timeoutSignal(30_000));
  process.stdout.write(`${address}\n`);
}
