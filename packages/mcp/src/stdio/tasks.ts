import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallResult } from "../call";
import { isRecord } from "../jsonSchema";
import type { ToolCall, ToolServer } from "../server";
import { TASKS_EXTENSION } from "./handshake";

/** How long a call that has become a task may take, and how long its result is kept after that. */
const TASK_MS = 30 * 60_000;
const KEPT_MS = 10 * 60_000;
/** The suggested pause between two questions about a task. */
const POLL_MS = 2_000;
/** The most tasks of a connection. Further calls are answered as if their client knew no tasks. */
const MAX_TASKS = 64;

interface Task {
  readonly taskId: string;
  readonly createdAt: string;
  readonly cancel: AbortController;
  lastUpdatedAt: string;
  statusMessage: string;
  outcome?:
    | { status: "completed"; result: CallResult }
    | { status: "failed"; error: object }
    | { status: "cancelled" };
}

/**
 * The tasks extension (io.modelcontextprotocol/tasks) for one connection over stdio: a call whose tool begins to report
 * progress becomes a task, if its client supports tasks. The client asks for the result later, so the call may take
 * longer than a request. Over HTTP there are none, since any process may answer a request there.
 */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** Calls a tool. Resolves with its result, or with the task that it has become. */
  async call(server: ToolServer, call: ToolCall): Promise<CallResult | ReturnType<typeof created>> {
    this.#forgetOld();
    if (this.#tasks.size >= MAX_TASKS) return server.call(call);
    const cancel = new AbortController();
    const stop = () => cancel.abort(call.signal.reason);
    call.signal.addEventListener("abort", stop);
    let task: Task | undefined;
    return new Promise((resolve, reject) => {
      const progress: ToolCall["progress"] = (message) => {
        if (!task) {
          call.signal.removeEventListener("abort", stop);
          const now = new Date().toISOString();
          task = {
            taskId: crypto.randomUUID(),
            createdAt: now,
            cancel,
            lastUpdatedAt: now,
            statusMessage: message,
          };
          this.#tasks.set(task.taskId, task);
          resolve(created(task));
        }
        update(task, message);
      };
      server.call({ ...call, signal: cancel.signal, progress, timeMs: TASK_MS }).then(
        (result) => {
          if (!task) return resolve(result);
          task.outcome = cancel.signal.aborted
            ? { status: "cancelled" }
            : { status: "completed", result: { ...result, resultType: "complete" } };
          update(task, result.isError ? "It has failed" : "It has ended");
        },
        (error: Error) => {
          if (!task) return reject(error);
          task.outcome = {
            status: "failed",
            error: { code: ProtocolErrorCode.InternalError, message: error.message },
          };
        },
      );
    });
  }

  /** Lets an SDK server answer requests about tasks. */
  register(sdk: Server): void {
    const params = z.looseObject({ taskId: z.string() });
    sdk.setRequestHandler("tasks/get", { params }, ({ taskId }) => detailed(this.#find(taskId)));
    sdk.setRequestHandler("tasks/cancel", { params }, ({ taskId }) => {
      this.#find(taskId).cancel.abort(new Error("The task was canceled"));
      return {};
    });
    // Nothing is ever asked of a client, so there is nothing to update.
    sdk.setRequestHandler("tasks/update", { params }, ({ taskId }) => {
      this.#find(taskId);
      return {};
    });
  }

  #find(taskId: string): Task {
    this.#forgetOld();
    const task = this.#tasks.get(taskId);
    if (task) return task;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${JSON.stringify(taskId)}.`);
  }

  #forgetOld(): void {
    const old = Date.now() - TASK_MS - KEPT_MS;
    for (const [id, { createdAt }] of this.#tasks) if (Date.parse(createdAt) < old) this.#tasks.delete(id);
  }
}

/** Whether a request's client supports tasks. */
export const knowsTasks = ({ mcpReq }: ServerContext): boolean => {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  const capabilities = envelope["io.modelcontextprotocol/clientCapabilities"];
  return (
    isRecord(capabilities) && isRecord(capabilities.extensions) && TASKS_EXTENSION in capabilities.extensions
  );
};

function update(task: Task, message: string): void {
  task.statusMessage = message;
  task.lastUpdatedAt = new Date().toISOString();
}

const common = ({ taskId, createdAt, lastUpdatedAt, statusMessage }: Task) => ({
  taskId,
  createdAt,
  lastUpdatedAt,
  statusMessage,
  ttlMs: TASK_MS + KEPT_MS,
  pollIntervalMs: POLL_MS,
});
const created = (task: Task) => ({ resultType: "task", status: "working", ...common(task) });
const detailed = (task: Task) => ({ ...common(task), ...(task.outcome ?? { status: "working" }) });
