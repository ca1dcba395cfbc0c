/** A process for journal.test.ts to kill: begins commands in the given journal forever, and prints each. */
import { randomUUID } from "node:crypto";
import { Journal } from "../commands/journal";
import { silent } from "./log";

const journal = await Journal.open(process.argv[2] ?? "", silent);
process.on("SIGXFSZ", () => {});
for (;;) {
  const id = randomUUID();
  try {
    await journal.begin(id, "create_workspace");
    process.stdout.write(`begun ${id}\n`);
    await journal.note(id, { path: `/worktrees/${id}` });
    if (process.argv[3] === "finish") {
      await journal.finish(id, { result: { made: id } });
      process.stdout.write(`finished ${id}\n`);
    }
  } catch (error) {
    process.stdout.write(`failed ${id} ${(error as NodeJS.ErrnoException).code}\n`);
    break;
  }
}
