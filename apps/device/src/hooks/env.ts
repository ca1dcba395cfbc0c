/** The variables that the device agent gives to a session with hooks. Undefined in any other. */
export const readHookEnv = () => ({
  /** The path of the device agent's socket. */
  path: process.env.GROVE_HOOK_SOCKET,
  /** Names the session. */
  token: process.env.GROVE_HOOK_TOKEN,
  /** The device agent's process. */
  pid: process.env.GROVE_HOOK_PID,
});
