import { type Client, createClient, type Inputs } from "@grove/client";
import { type DeviceEvent, deviceToolNames } from "@grove/schemas";
import type { Tenant } from "@grove/test-api";
import { connectFakeDevice, type FakeDevice } from "@grove/testing/device";

/** A command as a device receives it. */
export interface Delivered {
  readonly id: string;
  readonly tool: string;
  readonly params: Record<string, unknown>;
  /** Aborted when the cloud cancels the command. */
  readonly canceled: AbortSignal;
  progress(message: string, fraction?: number): Promise<void>;
}

export type Answer =
  | { result: unknown }
  | { error: { reason: string; message: string } }
  | { canceled: true };

type Report = Inputs["agent"]["reportSession"];

/** An agent session on a device, as its device reports it. */
export interface Session {
  readonly id: string;
  readonly workspaceId: string;
  report(reported: Report): Promise<void>;
}

/** How the device answers each command. */
export type Script = (command: Delivered, device: TestDevice) => Promise<Answer> | Answer;

/**
 * A device as the API sees it: it speaks the real protocol with a real device key, and answers each command as the test
 * decides. (The journeys of tooling/e2e drive the real device agent.)
 */
export class TestDevice {
  /** The commands that the device has begun. A command that is delivered again is already being worked on. */
  readonly begun: string[] = [];
  readonly #client: Client;
  readonly #journalId = crypto.randomUUID();
  readonly #abortByCommand = new Map<string, AbortController>();
  #device: FakeDevice<DeviceEvent> | undefined;

  readonly id: string;
  readonly name: string;
  readonly script: Script;
  readonly capabilities: string[];

  private constructor(
    id: string,
    name: string,
    apiUrl: string,
    key: string,
    script: Script,
    capabilities: string[],
  ) {
    this.id = id;
    this.name = name;
    this.script = script;
    this.capabilities = capabilities;
    this.#client = createClient({ apiUrl, token: key });
  }

  static async register(
    api: { readonly url: string },
    { client, organizationId }: Tenant,
    name: string,
    script: Script = () => ({ error: { reason: "unexpected", message: "Nothing was expected." } }),
    capabilities: string[] = deviceToolNames,
  ): Promise<TestDevice> {
    const { id, apiKey } = await client.device.register.mutate({ organizationId, name, platform: "linux" });
    return new TestDevice(id, name, api.url, apiKey, script, capabilities);
  }

  /**
   * Resolves when the API counts it as online.
   * @throws {unknown} the error of the stream if that ends before
   */
  async connect(): Promise<this> {
    const input = { journalId: this.#journalId, agentVersion: "1.0.0", capabilities: this.capabilities };
    this.#device = connectFakeDevice<DeviceEvent>(
      {
        open: (onData, onEnd) => {
          const stream = this.#client.device.connect.subscribe(input, { onData, onError: onEnd });
          return () => stream.unsubscribe();
        },
        heartbeat: (answer) => this.#client.agent.heartbeat.mutate(answer),
      },
      {
        onEvent: (event) => {
          // An API that has exited by then gets no answer.
          if (event.type === "command") this.#run(event).catch(() => undefined);
          if (event.type === "cancel") this.#abortByCommand.get(event.id)?.abort();
        },
      },
    );
    const { online, ended } = this.#device;
    await Promise.race([online, ended.then((error) => Promise.reject(error))]);
    return this;
  }

  /** Creates a workspace on this device, on the branch `quiet-fern`; returns its id. */
  async makeWorkspace(
    organizationId: string,
    project: Inputs["workspace"]["ensure"]["project"],
  ): Promise<string> {
    const id = crypto.randomUUID();
    const config = { branchName: "quiet-fern" };
    const workspace = { id, name: "fern", type: "worktree" as const, config };
    await this.#client.workspace.ensure.mutate({ organizationId, project, workspace });
    return id;
  }

  /** Reports that an agent session has begun, for a command or by itself. */
  async beginSession(workspaceId: string, commandId?: string): Promise<Session> {
    const id = crypto.randomUUID();
    const report = async (reported: Report) => {
      await this.#client.agent.reportSession.mutate(reported);
    };
    await report({ type: "start", id, journalId: this.#journalId, workspaceId, agent: "claude", commandId });
    return { id, workspaceId, report };
  }

  disconnect(): void {
    this.#device?.disconnect();
  }

  async #run({ id, tool, params }: { id: string; tool: string; params: unknown }): Promise<void> {
    if (this.begun.includes(id)) return;
    this.begun.push(id);
    const canceling = new AbortController();
    this.#abortByCommand.set(id, canceling);
    const journal = { id, journalId: this.#journalId };
    await this.#client.agent.start.mutate(journal);
    const command: Delivered = {
      id,
      tool,
      params: params as Record<string, unknown>,
      canceled: canceling.signal,
      progress: async (message, fraction) => {
        await this.#client.agent.progress.mutate({ ...journal, message, fraction });
      },
    };
    const answer = await this.script(command, this);
    await this.#client.agent.complete.mutate({ ...journal, ...answer });
  }
}
