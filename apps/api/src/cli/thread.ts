import { constants } from "node:os";
import { parentPort } from "node:worker_threads";
import { runProgram } from "./program";

// The API's thread, which `main.ts` starts. It gets the signals that the process receives as messages. Before the API
// listens nothing handles them, and they end it as they end any program.
parentPort
  ?.on("message", (signal: "SIGTERM" | "SIGINT") => {
    if (!process.emit(signal)) process.exit(128 + constants.signals[signal]);
  })
  .unref();
runProgram();
