import { askForAgent } from "./agentCliRequests";
import type { SessionPlan, SessionsDeps } from "./planSession";
import type { Session } from "./session";

/**
 * Registers a session's hooks and the requests of `grove-device agent` with the hook server. Returns undefined if this
 * machine has no sockets.
 */
export function registerHooks({ hooks, cloud }: SessionsDeps, { identity, takesHooks }: SessionPlan) {
  if (!hooks) return undefined;
  let target: Session | undefined;
  const { token, end } = hooks.register({
    onEvent: (event) => (takesHooks ? target?.activity?.onHook(event) : event.held?.release()),
    onRequest: (request) => askForAgent(cloud, identity.id, request),
  });
  return {
    env: { GROVE_HOOK_SOCKET: hooks.path, GROVE_HOOK_TOKEN: token, GROVE_HOOK_PID: `${process.pid}` },
    deliverTo: (session: Session) => {
      target = session;
      void session.ended.then(end);
    },
  };
}

/** Reports states from the record that a session's agent writes, until the session ends. */
export function followRecord(
  session: Session,
  { cwd, followRecord: follow }: SessionPlan,
  env: NodeJS.ProcessEnv,
): void {
  const end = follow?.({ cwd, env, onState: (...state) => session.activity?.onRecord(...state) });
  if (end) void session.ended.then(end);
}
