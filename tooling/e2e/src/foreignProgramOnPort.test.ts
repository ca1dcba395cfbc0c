import { once } from "node:events";
import { createServer } from "node:http";
import { runProgram, startProgram } from "@grove/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { connectAgent } from "./support/agent";
import { grove } from "./support/grove";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();

it("while Grove is stopped, a program on its port gets no password and no key", async () => {
  const { machine } = fresh;
  const first = await fresh.start("--port", "0");
  const agent = await connectAgent(first);
  await agent.listDevices();
  await first.stop();

  const heard: string[] = [];
  const foreignProgram = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ proof: "ab".repeat(32), status: "ready" }));
    });
  });
  foreignProgram.listen(Number(new URL(first.announced.apiUrl).port), "127.0.0.1");
  await once(foreignProgram, "listening");
  onTestFinished(() => {
    foreignProgram.close();
    foreignProgram.closeAllConnections();
  });

  const options = { env: machine.env, cwd: machine.root };
  for (const command of [["sign-in"], ["status"], ["doctor"]])
    expect((await runProgram(grove(...command), options)).code).not.toBe(0);
  // The device agent keeps trying.
  const agentProcess = startProgram(grove("device", "start"), { ...options, endAfter: onTestFinished });
  const before = heard.length;
  await expect.poll(() => heard.length).toBeGreaterThan(before);
  await agentProcess.end("SIGTERM");
  expect((await runProgram(grove("project", "list"), options)).code).toBe(0);
  expect(await agent.refusal("list_devices", {})).toMatch(/^api_unreachable: /);
  await agent.close();
  expect(heard.join("\n")).toContain("/api/proof");
  expect(heard.join("\n")).not.toMatch(/gr[kds]_|owner@|password|authorization/i);

  // The start itself does not get the port, and reports that before it makes anything.
  const { code, stderr } = await runProgram(grove("start"), options);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is already in use") });
});
