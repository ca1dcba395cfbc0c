import { statSync } from "node:fs";
// The built program begins with an import of `createRequire` for the modules inside it.
import nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { messageOf } from "@grove/schemas";
import { CommandFailure } from "../../errors";

const load = nodeModule.createRequire(import.meta.url);

/**
 * Loads node-pty with the first session, so that an agent that never runs one does not carry it.
 *
 * While Node resolves a module's symbolic links, it reads the type of the file that the process has synchronously
 * examined last. If that was a pipe or a socket, such as the program's output, the links stay unresolved, and the
 * native part is not found (nodejs/node#51142). So this file is examined first, and `load` leaves no time for
 * others. `import` would also remember a failure until the process ends.
 * @throws {CommandFailure} `terminal_missing` if the native module is not installed
 */
export function loadNodePty(): typeof import("@lydell/node-pty") {
  try {
    statSync(fileURLToPath(import.meta.url));
    return load("@lydell/node-pty");
  } catch (error) {
    throw new CommandFailure(
      "terminal_missing",
      `grove-device is installed without its terminal module @lydell/node-pty, so it cannot run agents. Install grove-device with npm. (${messageOf(error)})`,
    );
  }
}
