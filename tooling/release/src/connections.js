/**
 * Preloaded into programs (`node --import`): adds to the file CONNECTIONS a line for each connection that a program
 * begins, and for each name that it looks up.
 */

import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const file = process.env.CONNECTIONS ?? "";
const add = (/** @type {unknown} */ to) => appendFileSync(file, `${to}\n`);

const { connect } = net.Socket.prototype;
/** @type {(this: net.Socket, ...args: any[]) => net.Socket} */
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  add(first?.path ?? first?.host ?? (typeof first === "number" ? args[1] : first) ?? "localhost");
  return Reflect.apply(connect, this, args);
};

for (const api of [dns, dns.promises]) {
  const { lookup } = api;
  // @ts-expect-error Its overloads cannot be written down here.
  api.lookup = (...args) => {
    add(args[0]);
    return Reflect.apply(lookup, api, args);
  };
}
syncBuiltinESMExports();
