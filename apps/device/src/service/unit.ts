/** The program that a service manager runs, and how. */
export interface Service {
  /** The program and its arguments: absolute paths, no shell. */
  command: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** The log file that launchd writes; systemd has its journal. */
  logFile: string;
  /** The exit code that means there is no point in restarting the device agent. */
  finalExitCode: number;
}

export const SYSTEMD_UNIT = "grove-device.service";
export const LAUNCHD_LABEL = "dev.grove.device";

/** A unit for systemd's user manager (systemd.service(5), version 244 or newer). */
export const systemdUnit = ({ command, environment, finalExitCode }: Service): string =>
  [
    "[Unit]",
    "Description=grove-device, which runs coding agents for Grove",
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    // The colon keeps systemd from substituting variables in the command.
    `ExecStart=:${command.map(systemdQuoted).join(" ")}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${systemdQuoted(`${name}=${value}`)}`),
    "Restart=always",
    "RestartSec=5",
    `RestartPreventExitStatus=${finalExitCode}`,
    // The device agent ends its own children, and undoes their unfinished work.
    "KillMode=mixed",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");

/** The home of a device agent that belongs to the machine. systemd makes it, and gives it to the device agent. */
export const MACHINE_HOME = "/var/lib/grove-device";

/**
 * A unit for the machine's systemd, version 247 or newer: a user of its own, which may write its home alone. There is
 * no MemoryDenyWriteExecute, since V8 compiles while it runs. Agents that make sandboxes of their own need
 * RestrictNamespaces=no in a drop-in.
 */
export const systemUnit = (service: Service): string =>
  systemdUnit({ ...service, environment: { ...service.environment, HOME: MACHINE_HOME } })
    .replace("[Unit]\n", "[Unit]\nWants=network-online.target\nAfter=network-online.target\n")
    .replace("WantedBy=default.target", "WantedBy=multi-user.target")
    .replace("\n\n[Install]", `\n${confinement}\n\n[Install]`);

const confinement = `
DynamicUser=yes
StateDirectory=grove-device
StateDirectoryMode=0700
WorkingDirectory=${MACHINE_HOME}
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RemoveIPC=yes
KeyringMode=private
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM`;

/** Quotes a word according to systemd.syntax(7). `%` is doubled because it would begin a specifier. */
const systemdQuoted = (word: string): string =>
  `"${requireOneLine(word).replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;

/** A launchd agent (launchd.plist(5)). */
export const launchdPlist = ({ command, environment, logFile }: Service): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key><string>${LAUNCHD_LABEL}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...command.map((word) => `    <string>${xmlEscaped(word)}</string>`),
    "  </array>",
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    ...Object.entries(environment).map(
      ([name, value]) => `    <key>${xmlEscaped(name)}</key><string>${xmlEscaped(value)}</string>`,
    ),
    "  </dict>",
    "  <key>RunAtLoad</key><true/>",
    // Restarts after a crash. A revoked device is retried too, at this pace, since launchd cannot match single exit
    // codes.
    "  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>",
    "  <key>ThrottleInterval</key><integer>30</integer>",
    "  <key>ExitTimeOut</key><integer>30</integer>",
    `  <key>StandardErrorPath</key><string>${xmlEscaped(logFile)}</string>`,
    "</dict>",
    "</plist>",
    "",
  ].join("\n");

const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const xmlEscaped = (text: string): string =>
  requireOneLine(text).replace(/[&<>]/g, (char) => XML[char] ?? char);

/**
 * @throws {Error} for control characters: a line break would begin another setting, and no unit can hold a NUL. Also
 * for invalid Unicode: systemd ignores a setting with it, and no XML can hold it
 */
function requireOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression looks for them.
  if (/[\u0000-\u001f\u007f\p{Surrogate}\p{Noncharacter_Code_Point}]/u.test(text))
    throw new Error(`A service unit cannot contain the characters of ${JSON.stringify(text)}.`);
  return text;
}
