/**
 * A program for `node -e` that runs a browser beside its own parent. However the parent ends, kill -9 included, the
 * supervisor's stdin closes. The supervisor then ends the browser, and removes its profile once no process writes
 * there any longer.
 * Arguments: the profile's directory, the browser's program, its arguments. It prints "gone" when the browser has
 * ended.
 */
export const browserSupervisor = `
const { spawn } = require("node:child_process");
const { readlinkSync, rmSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const [profile, program, ...args] = process.argv.slice(1);
// A browser with a debugging pipe ends when the pipe does, even when the supervisor is killed.
const browser = spawn(program, args, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
const removeAll = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 10 });
const remove = () => {
  try {
    // The socket is in a directory of its own, to which the profile has only a link.
    const socket = readlinkSync(join(profile, "SingletonSocket"));
    if (basename(socket) === "SingletonSocket") removeAll(dirname(socket));
  } catch {}
  removeAll(profile);
};
const end = () => browser.kill("SIGKILL");
for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on("error", () => {});
browser.stderr.on("data", (chunk) => process.stderr.write(chunk));
process.stdin.on("end", end).on("error", end).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
browser.on("error", ({ message }) => {
  process.stderr.write(message + "\\n");
  remove();
  process.exit(1);
});
let code = 1;
const finish = () => {
  remove();
  process.exit(code);
};
browser.on("exit", (status) => {
  code = status ?? 1;
  process.stdout.write("gone");
  setTimeout(finish, 5000);
});
// All processes of the browser share its stderr: it closes when the last one has ended.
browser.on("close", finish);
`;
