/**
 * The command that installs the device agent, or the newest one, from this server, and makes the machine a device.
 * @param token registers without a code to approve
 */
export const installLine = (token?: string) =>
  `curl -fsSL ${location.origin}/install.sh | sh${token === undefined ? "" : ` -s -- --token ${token}`}`;
