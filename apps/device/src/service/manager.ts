import { join } from "node:path";
import type { Env } from "../env";
import { isErrno } from "../home/home";
import { runProgram } from "../program";
import { LAUNCHD_LABEL, launchdPlist, type Service, SYSTEMD_UNIT, systemdUnit } from "./unit";

export type ManagerName = "systemd" | "launchd";

/** How the agent is made a service of the user with one service manager. */
export interface Manager {
  /** Where its unit file lies. */
  unitFile(env: NodeJS.ProcessEnv, userHome: string): string;
  unit(service: Service): string;
  /** What makes the manager take the file and start it; each is run in turn. */
  install(unitFile: string): string[][];
  /** What stops it, before the file is removed. */
  uninstall(unitFile: string): string[][];
  /** Exits with 0 when it runs. */
  isActive(): string[];
  /** Exits with 0 when the manager can be reached from here. */
  isReachable(): string[];
  /** What to do when it cannot. */
  unreachableHint: string;
  /** What a person may still want to do. */
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
  launchd: {
    unitFile: (_env, userHome) => join(userHome, "Library", "LaunchAgents", `${LAUNCHD_LABEL}.plist`),
    unit: launchdPlist,
    install: (unitFile) => [["launchctl", "bootstrap", domain(), unitFile]],
    uninstall: () => [["launchctl", "bootout", `${domain()}/${LAUNCHD_LABEL}`]],
    isActive: () => ["launchctl", "print", `${domain()}/${LAUNCHD_LABEL}`],
    isReachable: () => ["launchctl", "print", domain()],
    unreachableHint: "Log in to the desktop as this user: over ssh alone there is no such session.",
    hint: "Its log is agent.log in GROVE_HOME.",
  },
};

/** This platform's. */
export const ownManager = (): ManagerName => (process.platform === "darwin" ? "launchd" : "systemd");

/**
 * Runs a program of the service manager.
 * @returns its exit code and what it said
 * @throws Error when it is not there
 */
export async function ask({ forPrograms }: Env, [file = "", ...args]: string[]) {
  try {
    const signal = AbortSignal.timeout(60_000);
    return await runProgram(file, args, { env: forPrograms, stdoutAsStderr: true, signal });
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    throw new Error(`There is no ${file} here. Run \`grove-device start\` under a supervisor of your own.`);
  }
}
