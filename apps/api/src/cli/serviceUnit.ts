/** The settings of the service, written by hand; the unit itself is written again by each `service install`. */
export const SETTINGS_FILE = "/etc/grove/api.env";
/** The key of stored secrets. systemd passes it to the service; only root can read the file. */
export const KEY_FILE = "/etc/grove/credentials-key";
export const UNIT = "grove-api.service";

/**
 * A unit for systemd 250 or newer: a separate user that exists while it runs, a directory for data, and nothing else
 * that it may write or see. There is no MemoryDenyWriteExecute, since V8 compiles while it runs.
 * @param program the paths of Node and of the program
 * @throws {Error} for a path that no unit can have
 */
export const serviceUnit = (program: readonly string[]): string => `[Unit]
Description=Grove API
Wants=network-online.target
After=network-online.target postgresql.service
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=:${program.map(quoted).join(" ")}
Environment=DATA_DIR=%S/grove
Environment=CREDENTIALS_KEY_FILE=%d/credentials-key
EnvironmentFile=-${SETTINGS_FILE}
LoadCredential=credentials-key:${KEY_FILE}
Restart=always
RestartSec=2
TimeoutStopSec=30
KillMode=mixed
LimitNOFILE=65536

DynamicUser=yes
StateDirectory=grove
StateDirectoryMode=0700
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
ProcSubset=pid
RemoveIPC=yes
KeyringMode=private
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

/** Quotes a word according to systemd.syntax(7). `%` is doubled because it would begin a specifier. */
function quoted(word: string): string {
  if (/\p{C}/u.test(word)) throw new Error(`A service unit cannot contain the path ${JSON.stringify(word)}.`);
  return `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}
