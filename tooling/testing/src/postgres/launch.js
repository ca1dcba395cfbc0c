import { spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { join } from "node:path";

/** The longest wait for the server to accept connections, and for it to end. */
const timeoutMs = 60_000;

/**
 * The server runs beside a shell that waits for a pipe which this process holds. So anything that ends this process,
 * including kill -9, ends the server and removes its directory. The shell and the server have their own process group,
 * so that a terminal's Ctrl-C does not kill the shell before it has done so. Only the server holds stderr: when that
 * ends, the server has ended.
 */
const keeper = `
root=$1; shift
exec 3<&0
"$@" 3<&- </dev/null >&2 & server=$!
echo "$server"
exec >/dev/null 2>&1
read -r word <&3
kill -INT "$server"
wait "$server"
[ "$word" = keep ] || rm -rf "$root"
`;

/**
 * Starts the server on the data directory `data` in `root`.
 * @param {string} bin
 * @param {string} root
 * @param {Record<string, string>} options
 * @param {{ uid: number, gid: number } | undefined} owner
 */
export async function launch(bin, root, options, owner) {
  const settings = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [join(bin, "postgres"), "-D", join(root, "data"), ...settings];
  const shell = spawn("/bin/sh", ["-c", keeper, "grove-postgres", root, ...command], {
    ...owner,
    cwd: root,
    detached: true,
    env: { ...process.env, LC_ALL: "C" },
  });
  // The shell may be gone when it is asked to stop.
  shell.stdin.on("error", () => {});
  const exited = once(shell, "exit");
  const gone = once(shell.stderr, "close");
  let output = "";
  const pid = once(shell.stdout, "data").then(([line]) => Number(line));

  /** @param {string} [word] `keep` keeps the directory */
  const stop = async (word = "") => {
    shell.ref();
    const kill = setTimeout(() => void pid.then((id) => process.kill(id, "SIGKILL")), timeoutMs);
    shell.stdin.end(`${word}\n`);
    await Promise.all([exited, gone]);
    clearTimeout(kill);
  };

  const ready = new Promise((resolve) => {
    shell.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-8_000);
      if (/ready to accept (read-only )?connections/.test(output)) resolve(true);
    });
    void gone.then(() => resolve(false));
    setTimeout(() => resolve(false), timeoutMs).unref();
  });
  if (!(await ready)) {
    await stop("keep");
    throw new Error(`PostgreSQL (${bin}) did not start. Its output:\n${output}`);
  }
  // A process with nothing else to do may end, which ends the server as well.
  shell.unref();
  for (const stream of [shell.stdin, shell.stdout, shell.stderr])
    if (stream instanceof Socket) stream.unref();
  return { pid: await pid, stop };
}
