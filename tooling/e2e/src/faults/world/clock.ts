import { readFileSync } from "node:fs";

// Loaded by `--import clock.ts?file=…`. Shifts the clock of a program by the milliseconds in that file. Timers and
// performance.now() are not affected, as when a person or NTP sets the clock of a machine.
const file = new URL(import.meta.url).searchParams.get("file");
const realDate = Date;
let aheadMs = 0;

function read(path: string): void {
  try {
    aheadMs = Number(readFileSync(path, "utf8")) || 0;
  } catch {
    aheadMs = 0;
  }
}
if (file) setInterval(() => read(file), 100).unref();

const now = () => realDate.now() + aheadMs;
globalThis.Date = new Proxy(realDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
