import type { Tenant } from "@grove/test-api";
import { TestApi } from "@grove/test-api/api";
import { inject, onTestFinished } from "vitest";
import type { Waits } from "../api/waits";
import { type Answer, call, connectWithin } from "./client";
import { type Script, TestDevice } from "./device";

export const anyId = "0199aaaa-0000-7000-8000-000000000001";

/** A new user of the API that the tool tests share. */
export const newTenant = (name = "ada"): Promise<Tenant> => sharedApi().signUp(name);

const sharedApi = () => Object.assign(new TestApi(), { url: inject("apiUrl") });

/** Calls a tool as a tenant through the SDK's own client, which checks the result against the listed schema. */
export async function ask(
  tenant: Tenant,
  name: string,
  args: Record<string, unknown> = {},
  waits?: Partial<Waits>,
): Promise<Answer> {
  const client = await connectWithin({
    apiUrl: inject("apiUrl"),
    apiKey: tenant.apiKey,
    waits,
  });
  try {
    return await call(client, name, args);
  } finally {
    await client.close();
  }
}

/** A device of the tenant that is online until the test ends, and the commands that it received. */
export async function onlineDevice(
  tenant: Tenant,
  script: Script,
): Promise<{ device: TestDevice; asked: { tool: string; params: unknown }[] }> {
  const asked: { tool: string; params: unknown }[] = [];
  const device = await TestDevice.register(sharedApi(), tenant, "bench", (command, device) => {
    asked.push({ tool: command.tool, params: command.params });
    return script(command, device);
  });
  onTestFinished(() => device.disconnect());
  await device.connect();
  return { device, asked };
}

/** The input of workspace.ensure for a project. */
export const orchard = {
  name: "Orchard",
  slug: "orchard",
  repoOwner: "acme",
  repoName: "orchard",
  repoUrl: "https://example.com/acme/orchard.git",
};
