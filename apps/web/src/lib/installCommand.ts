/**
 * Returns the command that installs or updates the device agent from this server, and registers the machine.
 * @param token a registration token, which makes the approval of a code unnecessary
 */
export const installLine = (token?: string) =>
  `curl -fsSL ${location.origin}/install.sh | sh${token === undefined ? "" : ` -s -- --token ${token}`}`;
