import { messageOf } from "@grove/schemas";
/** A process for lock.test.ts: takes the lock of the given home, prints the result, and holds the lock until killed. */
import { openHome } from "../home/home";
import { lockHome } from "../home/homeLock";

const home = await openHome(process.argv[2] ?? "");
try {
  await lockHome(home);
  process.stdout.write(`locked ${process.pid}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`refused ${messageOf(error)}\n`);
}
