import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import type { Machine } from "../support/machine";
import { type AgentName, agents } from "./agents";

export interface Installed {
  program: string;
  /** As the program prints it. */
  version: string;
}

const installed = new Map<AgentName, Promise<Installed>>();

/** Installs an agent from npm into the machine's temporary directory, once for each test file. */
export function install(name: AgentName, machine: Machine): Promise<Installed> {
  const found = installed.get(name) ?? installNow(name, machine);
  installed.set(name, found);
  return found;
}

async function installNow(name: AgentName, machine: Machine): Promise<Installed> {
  const directory = join(machine.temporary, name);
  await mkdir(directory, { recursive: true });
  const { package: packageName, version: proved } = agents[name];
  const wanted = process.env.REAL_AGENTS === "newest" ? "latest" : proved;
  const npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", directory];
  await succeed([...npm, `${packageName}@${wanted}`], { env: { ...process.env }, cwd: directory });
  const program = join(directory, "node_modules", ".bin", name);
  const printed = await succeed([program, "--version"], { env: machine.env, cwd: directory });
  const version = `${name} ${/\d+\.\d+\.\d+\S*/.exec(printed)?.[0] ?? printed.trim()}`;
  process.stdout.write(`${version}\n`);
  return { program, version };
}
