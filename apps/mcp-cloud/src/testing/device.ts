import { type Client, createClient, type Inputs } from "@grove/client";
import { deviceToolNames } from "@grove/schemas";
import type { Tenant } from "@grove/test-api";

/** A command as a device gets it. */
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
  report(said: Report): Promise<void>;
}

/** How the device answers each command. */
export type Script = (command: Delivered, device: TestDevice) => Promise<Answer> | Answer;

/**
 * A device as the API sees it: it speaks the real protocol with a real device key, and answers each command as the test
 * decides. (The journeys of tooling/e2e drive the real device agent.)
 */
export class TestDevice {
  /** The commands that it has begun. A command that is delivered again is already being worked on. */
  readonly begun: string[] = [];
  readonly #client: Client;
  readonly #journalId = crypto.randomUUID();
  readonly #canceling = new Map<string, AbortController>();
  #stream: { unsubscribe(): void } | undefined;

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

  /** Resolves when the API has received its first beat and counts it as online. */
  async connect(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#stream = this.#client.device.connect.subscribe(
        { journalId: this.#journalId, agentVersion: "1.0.0", capabilities: this.capabilities },
        {
          onData: (event) => {
            if (event.type === "beat")
              this.#client.agent.heartbeat
                .mutate({ epoch: event.epoch, beat: event.n, running: [] })
                .then(() => resolve(), reject);
            if (event.type === "command") this.#run(event).catch(reject);
            if (event.type === "cancel") this.#canceling.get(event.id)?.abort();
          },
          onError: reject,
        },
      );
    });
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
    const report = async (said: Report) => {
      await this.#client.agent.reportSession.mutate(said);
    };
    await report({ type: "start", id, journalId: this.#journalId, workspaceId, agent: "claude", commandId });
    return { id, workspaceId, report };
  }

  disconnect(): void {
    this.#stream?.unsubscribe();
  }

  async #run({ id, tool, params }: { id: string; tool: string; params: unknown }): Promise<void> {
    if (this.begun.includes(id)) return;
    this.begun.push(id);
    const canceling = new AbortController();
    this.#canceling.set(id, canceling);
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
