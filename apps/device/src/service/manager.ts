import { join } from "node:path";
import { timeoutSignal } from "@grove/signals";
import type { Env } from "../env";
import { isErrno } from "../lib/fileSystem";
import { runProgram } from "../lib/program";
import {
  LAUNCHD_LABEL,
  launchdPlist,
  MACHINE_HOME,
  type Service,
  SYSTEMD_UNIT,
  systemdUnit,
  systemUnit,
} from "./unit";

export type ManagerName = "systemd" | "systemd-system" | "launchd";

/** One service manager, and how it runs the device agent as a service of the user. */
export interface Manager {
  /** The GROVE_HOME that this manager requires; undefined if it accepts any. */
  home?: string;
  /** The path of the unit file. */
  unitFile(env: NodeJS.ProcessEnv, userHome: string): string;
  unit(service: Service): string;
  /** The commands that make the manager load the file and start it, in order. */
  install(unitFile: string): string[][];
  /** The commands that stop the service before the file is removed. */
  uninstall(unitFile: string): string[][];
  /** A command that exits with 0 if the service is running. */
  isActive(): string[];
  /** A command that exits with 0 if the manager can be reached from here. */
  isReachable(): string[];
  /** Advice for when the manager cannot be reached. */
  unreachableHint: string;
  /** Advice on what to set up next. */
  hint: string;
}

const domain = () => `gui/${process.getuid?.() ?? 0}`;

export const managers: Readonly<Record<ManagerName, Manager>> = {
  systemd: {
    unitFile: (env, userHome) =>
      join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "systemd", "user", SYSTEMD_UNIT),
    unit: systemdUnit,
    install: () => [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", SYSTEMD_UNIT],
      ["systemctl", "--user", "restart", SYSTEMD_UNIT],
    ],
    uninstall: () => [["systemctl", "--user", "disable", "--now", SYSTEMD_UNIT]],
    isActive: () => ["systemctl", "--user", "is-active", "--quiet", SYSTEMD_UNIT],
    isReachable: () => ["systemctl", "--user", "show", "--property=Version"],
    unreachableHint:
      "Log in as this user, not by su or sudo. For a user who never logs in, run `loginctl enable-linger` as root and set XDG_RUNTIME_DIR=/run/user/<uid>. In a container without systemd, run `grove-device start` under its supervisor.",
    hint: "Its log: journalctl --user -u grove-device. To have it run while you are not logged in: loginctl enable-linger",
  },
  "systemd-system": {
    home: MACHINE_HOME,
    unitFile: () => join("/etc/systemd/system", SYSTEMD_UNIT),
    unit: systemUnit,
    install: () => [
      ["systemctl", "daemon-reload"],
      ["systemctl", "enable", SYSTEMD_UNIT],
      ["systemctl", "restart", SYSTEMD_UNIT],
    ],
    uninstall: () => [["systemctl", "disable", "--now", SYSTEMD_UNIT]],
    isActive: () => ["systemctl", "is-active", "--quiet", SYSTEMD_UNIT],
    isReachable: () => ["systemctl", "show", "--property=Version"],
    unreachableHint: "Run it as root, on a machine that systemd has started.",
    hint: "Its log: journalctl -u grove-device. Its data is in /var/lib/grove-device.",
  },
  launchd: {
    unitFile: (_env, userHome) => join(userHome, "Library", "LaunchAgents", `${LAUNCHD_LABEL}.plist`),
    unit: launchdPlist,
    install: (unitFile) => [["launchctl", "bootstrap", domain(), unitFile]],
    uninstall: () => [["launchctl", "bootout", `${domain()}/${LAUNCHD_LABEL}`]],
    isActive: () => ["launchctl", "print", `${domain()}/${LAUNCHD_LABEL}`],
    isReachable: () => ["launchctl", "print", domain()],
    unreachableHint:
      "Log in to the desktop as this user: an SSH login does not start the session that launchd needs.",
    hint: "Its log is agent.log in GROVE_HOME.",
  },
};

const COMMAND_MS = 60_000;

/** The manager of this platform. */
export const ownManager = (): ManagerName => (process.platform === "darwin" ? "launchd" : "systemd");

/**
 * Runs a program of the service manager.
 * @returns its exit code and output
 * @throws {Error} if the program is missing
 */
export async function runManager({ forPrograms }: Env, [file = "", ...args]: string[]) {
  try {
    const signal = timeoutSignal(COMMAND_MS);
    return await runProgram(file, args, { env: forPrograms, stdoutAsStderr: true, signal });
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    throw new Error(`There is no ${file} here. Run \`grove-device start\` under another supervisor.`);
  }
}
