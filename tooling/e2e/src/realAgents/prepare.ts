import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import type { Scene } from "../faults/world/scene";
import { packageDirectory } from "../support/programs";
import { type AgentName, agents, writeUserFiles } from "./agents";
import { install } from "./install";
import { startMockModel } from "./mockModel/server";

const packagedDevice = join(packageDirectory("@grove/device"), "dist", "main.js");

let count = 0;

/** Connects a machine with a project, whose user has installed an agent and set it up for a mock model. */
export async function prepareAgent(scene: Scene, name: AgentName) {
  const { program, version } = await install(name, scene.machine);
  const label = `${name} ${++count}`;
  const device = await scene.device(label);
  await device.connect();
  const project = await device.addWork(`work of ${label}`, 1);
  scene.atEnd(() => project.work.release());
  const model = await startMockModel(scene.atEnd);
  const home = join(scene.machine.temporary, `home of ${label}`);
  await mkdir(home);
  const place = { home, model: model.url, repository: project.work.path, deviceHome: device.home };
  await writeUserFiles(name, place);
  const command = [program, ...agents[name].args];
  const config = { agents: { [name]: { command, env: { HOME: home, ...agents[name].env(place) } } } };
  await writeFile(join(device.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  return {
    name,
    version,
    device,
    project,
    model,
    home,
    /** Runs `grove-device` on this machine. */
    groveDevice: (...args: string[]) =>
      succeed([process.execPath, packagedDevice, ...args], {
        env: { ...process.env, GROVE_HOME: device.home },
      }),
  };
}

export type PreparedAgent = Awaited<ReturnType<typeof prepareAgent>>;
