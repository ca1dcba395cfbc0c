/**
 * Preloaded into each program that the launcher starts (`node --import`). The launcher holds the other end of the IPC
 * channel. When the launcher has exited, even by kill -9, the program gets a SIGTERM, and is ended if it does not obey.
 */
const GRACE_MS = 10_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
// Listening on the channel must not keep a finished program alive.
process.channel?.unref();
