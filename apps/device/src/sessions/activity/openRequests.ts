import { requestLimits } from "@grove/schemas";
import type { PermissionHookInput, ToolHookInput } from "../../hooks/event";
import type { HeldHook } from "../../hooks/heldHook";

/** A question or a request for permission that an agent has open. */
export interface OpenRequest {
  id: string;
  asked: PermissionHookInput;
  /** Milliseconds since 1970. */
  askedAt: number;
  /** The hook that takes an answer. Undefined if only the terminal does. */
  held: HeldHook | undefined;
}

/** The requests that an agent has open, oldest first. */
export class OpenRequests {
  readonly #entries = new Map<string, OpenRequest>();

  get all(): OpenRequest[] {
    return [...this.#entries.values()];
  }

  get newest(): OpenRequest | undefined {
    return this.all.at(-1);
  }

  find(id: string): OpenRequest | undefined {
    return this.#entries.get(id);
  }

  /** Adds a request, or releases its hook if the limit is reached. */
  add(request: OpenRequest): void {
    if (this.#entries.size < requestLimits.open) this.#entries.set(request.id, request);
    else request.held?.release();
  }

  /** Removes a request that is answered or withdrawn. Its hook ends. */
  delete(id: string): void {
    this.#entries.get(id)?.held?.release();
    this.#entries.delete(id);
  }

  /** Removes the request whose tool ran, or was refused, at a time. A later request for the same tool stays. */
  settle({ tool_name, tool_input, agent_id }: ToolHookInput, at: number): void {
    const key = canonical(tool_input);
    const request = this.all.find(
      ({ asked, askedAt }) =>
        askedAt <= at &&
        asked.tool_name === tool_name &&
        asked.agent_id === agent_id &&
        canonical(asked.tool_input) === key,
    );
    if (request) this.delete(request.id);
  }

  /** Removes the requests that were made until a time, at which a turn began or ended. */
  clearUntil(at: number): void {
    for (const { id, askedAt } of this.all) if (askedAt <= at) this.delete(id);
  }
}

/** JSON with sorted keys: the events of one tool call may order them differently. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
