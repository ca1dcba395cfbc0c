import { join } from "node:path";
import { Line } from "@grove/testing/line";
import { succeed } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import * as z from "zod";
import type { Machine } from "../../support/machine";
import { packageDirectory } from "../../support/programs";
import type { ApiInstance, Cloud } from "./cloud";
import { Program } from "./program";
import { Work } from "./work";

const main = join(packageDirectory("@grove/device"), "dist", "main.js");
const program = [process.execPath, main];

/** Shortens every pause between two attempts: their jitter is drawn from `Math.random`. */
const shortPauses = "data:text/javascript,Math.random = () => 0.02";

export interface DeviceOptions {
  instance?: ApiInstance;
  hasShortPauses?: boolean;
}

/**
 * A registered machine: its device agent, the line to the cloud, and a repository that is a project of the
 * organization.
 */
export class DeviceMachine extends Program {
  readonly id: string;
  readonly home: string;
  readonly line: Line;
  readonly cloud: Cloud;
  readonly machine: Machine;

  private constructor(
    id: string,
    home: string,
    line: Line,
    cloud: Cloud,
    machine: Machine,
    env: NodeJS.ProcessEnv,
    hasShortPauses: boolean,
  ) {
    const options = hasShortPauses ? ["--import", shortPauses] : [];
    super([process.execPath, ...options, main, "start"], env);
    this.id = id;
    this.home = home;
    this.line = line;
    this.cloud = cloud;
    this.machine = machine;
  }

  /**
   * Registers a machine that connects through its own proxy to `instance`, by default the first.
   * @param hasShortPauses whether it reconnects sooner than usual, for tests that break its connection often
   */
  static async register(
    cloud: Cloud,
    machine: Machine,
    name: string,
    { instance = cloud.first, hasShortPauses = false }: DeviceOptions = {},
  ): Promise<DeviceMachine> {
    const line = await Line.to(instance.port);
    const home = join(machine.root, name);
    const env = { ...machine.env, GROVE_HOME: home, API_URL: line.url };
    const output = await succeed([...program, "register", "--name", name], {
      env: { ...env, API_KEY: cloud.apiKey },
    });
    const id = /as device (\S+)\./.exec(output)?.[1] ?? "";
    return new DeviceMachine(id, home, line, cloud, machine, env, hasShortPauses);
  }

  /** Whether the device agent has ever logged the end of this command. */
  hasEnded(commandId: string): boolean {
    const at = this.output.indexOf(`"commandId":"${commandId}"`);
    return (
      at !== -1 &&
      this.output
        .slice(at)
        .split("\n")
        .some((line) => line.includes(commandId) && line.includes('"command ended"'))
    );
  }

  /** The path of the device agent's journal. */
  get journal(): string {
    return join(this.home, "journal.jsonl");
  }

  /** Starts a second device agent on the same home in its own PID namespace, as in another container. Linux only. */
  inOtherNamespace(): Program {
    const { command, env } = this;
    return new Program(["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", ...command], env);
  }

  /** Starts the device agent, and resolves when it is online. */
  async connect(): Promise<void> {
    this.start();
    await this.untilStatus("online");
  }

  async untilStatus(status: "online" | "offline"): Promise<void> {
    const { organizationId } = this.cloud;
    await until(async () => {
      const client = this.cloud.client(this.cloud.instances.find(({ running }) => running));
      const device = await client.device.get.query({ organizationId, id: this.id });
      return device.status === status;
    }, `the device is ${status}`);
  }

  /**
   * Resolves when a command has gone to the device agent and back, so that its stream is attached to a running API.
   * Being online does not prove that, because presence outlives a killed API by its lease.
   */
  async untilReached(): Promise<void> {
    const { organizationId } = this.cloud;
    await until(async () => {
      const client = this.cloud.client(this.cloud.instances.find(({ running }) => running));
      const { status } = await client.agent.execute.mutate({
        organizationId,
        deviceId: this.id,
        tool: "list_projects",
        params: {},
        ifOffline: "queue",
      });
      return status === "succeeded";
    }, "the device is reached");
  }

  /** Makes a repository with `count` pieces of work, as a project. */
  async addWork(name: string, count: number): Promise<Project> {
    const work = await Work.create(this.machine, name, count);
    const { id, slug } = await this.addProject(work.path);
    return { id, worktrees: [join(this.home, "worktrees", slug)], work, device: this };
  }

  /** Adds a repository as a project. */
  async addProject(path: string): Promise<{ id: string; slug: string }> {
    const json = await succeed([...program, "project", "add", "--json", path], { env: this.env });
    return z.object({ id: z.string(), slug: z.string() }).parse(JSON.parse(json));
  }
}

export interface Project {
  id: string;
  /** The directories of its worktrees. */
  worktrees: string[];
  work: Work;
  device: DeviceMachine;
}
