/**
 * Returns the command that installs or updates the device agent from this server, and registers the machine.
 * @param token a registration token, which makes the approval of a code unnecessary
 */
export const installCommand = (token?: string) =>
  `curl -fsSL ${location.origin}/install.sh | sh${token === undefined ? "" : ` -s -- --token ${token}`}`;
