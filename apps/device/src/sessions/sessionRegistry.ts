import type { AppContext, WorkspaceDetails } from "@grove/schemas";
import { CommandFailure } from "../errors";
import type { SessionEnd } from "./reporting/outputReporter";
import type { Session, SessionIdentity } from "./session";

/** How many ended sessions are kept in memory for get_workspace_details. */
const MAX_ENDED_SESSIONS = 20;
const MAX_LISTED = 10;

/** The agent sessions that run on this machine, and those that ended last. */
export class SessionRegistry {
  /** In the order of their start. */
  readonly #running = new Map<string, Session>();
  readonly #ended: { session: Session; status: SessionEnd["status"] }[] = [];

  /** Adds a running session until it has ended. */
  add(session: Session): void {
    const { id } = session.identity;
    this.#running.set(id, session);
    void session.ended.then(({ status }) => {
      this.#running.delete(id);
      this.#ended.push({ session, status });
      if (this.#ended.length > MAX_ENDED_SESSIONS) this.#ended.shift();
    });
  }

  /** The running sessions, in the order of their start. */
  get all(): Session[] {
    return [...this.#running.values()];
  }

  /** The ids of the running sessions. */
  get ids(): string[] {
    return [...this.#running.keys()];
  }

  /** Finds a running session. */
  find(id: string): Session | undefined {
    return this.#running.get(id);
  }

  /** Finds a running session. @throws {CommandFailure} `no_such_session` */
  get(id: string): Session {
    const session = this.#running.get(id);
    if (session) return session;
    throw new CommandFailure(
      "no_such_session",
      `No agent session ${id} runs on this device. Running: ${this.ids.join(", ") || "none"}.`,
    );
  }

  /** Describes the running sessions, newest first. */
  running(): AppContext["sessions"] {
    return this.all.reverse().map(({ identity, waitingForInput }) => {
      const { id, workspaceId, agent, startedAt } = identity;
      return { id, workspaceId, agent, startedAt, waitingForInput };
    });
  }

  /** The ids of the sessions that run in a workspace. A session begins under the lock of the workspace's directory. */
  runningIn(workspaceId: string): string[] {
    return this.running().flatMap((session) => (session.workspaceId === workspaceId ? [session.id] : []));
  }

  /**
   * A workspace's sessions, newest first. The last lines of output are included for the device's owner, and for the
   * user who started the session.
   */
  ofWorkspace(
    workspaceId: string,
    reader: { id: string | null; isOwner: boolean },
  ): WorkspaceDetails["sessions"] {
    const mayRead = ({ startedBy }: SessionIdentity) =>
      reader.isOwner || (reader.id !== null && startedBy === reader.id);
    const running = this.all.map((session) => ({ session, status: "running" }));
    return [...this.#ended, ...running]
      .filter(({ session }) => session.identity.workspaceId === workspaceId)
      .sort((a, b) => b.session.identity.startedAt.localeCompare(a.session.identity.startedAt))
      .slice(0, MAX_LISTED)
      .map(({ session: { identity, tail }, status }) => ({
        id: identity.id,
        agent: identity.agent,
        status,
        startedAt: identity.startedAt,
        ...(mayRead(identity) && { output: tail.lastLines() }),
      }));
  }
}
