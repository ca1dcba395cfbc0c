import { isHealthy } from "@grove/schemas";
import { examineMachine } from "../doctor/machine";
import { examineApi } from "../doctor/network";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";

/** run_doctor: checks this machine and its way to the API, as `grove-device doctor` does. */
export const runDoctorTool = ({ home, git, programEnv, cloud, apiUrl }: ToolDeps): Tool<"run_doctor"> => ({
  async run() {
    const findings = [...(await examineMachine(home, git, programEnv)), ...(await examineApi(apiUrl, cloud))];
    return { healthy: isHealthy(findings), findings };
  },
});
