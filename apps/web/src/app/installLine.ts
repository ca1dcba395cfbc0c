/** The command that installs the device agent, or the newest one, from this server. */
export const installLine = `npm install --global ${location.origin}/download/grove-device.tgz`;
