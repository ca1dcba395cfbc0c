import { constants } from "node:os";
import { parentPort } from "node:worker_threads";
import { runProgram } from "./program";

// Runs the API in a thread that `main.ts` starts. The main thread forwards the process's signals as messages. Until the
// API listens, nothing handles a signal, and it ends the process as usual.
parentPort
  ?.on("message", (signal: "SIGTERM" | "SIGINT") => {
    if (!process.emit(signal)) process.exit(128 + constants.signals[signal]);
  })
  .unref();
runProgram();
