/**
 * Preloaded into each program that the launcher starts (`node --import`). The launcher holds the other end of the IPC
 * channel: when it is gone, kill -9 included, the program is told to end as by SIGTERM, and ended if it does not.
 */
const GRACE_MS = 10_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
// Listening alone must not keep a program alive that is done.
process.channel?.unref();
