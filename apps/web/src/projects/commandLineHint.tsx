import type { Device } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { authQuery } from "../lib/api";
import { toolQuery } from "../lib/commands/deviceTools";
import { CopyLine } from "../ui/copyButton";

/** The command that adds a repository on a machine, as that machine's program is run. */
export function CommandLineHint({ device }: { device: Device | undefined }) {
  const { id: organizationId } = useOrganization();
  const { data: server } = useQuery(authQuery);
  const { data } = useQuery({
    ...toolQuery({ organizationId, deviceId: device?.id ?? "" }, "list_directories", { path: "" }),
    enabled: device !== undefined,
  });
  // Other machines have the installed program. Local mode's launcher runs its own, on its data directory.
  const command = device ? data?.command : server?.local ? undefined : "grove-device";
  if (command === undefined) return null;
  return (
    <section className="mt-10 max-w-xl border-line border-t pt-5">
      <h2 className="font-semibold">Prefer the command line?</h2>
      <p className="mt-1 mb-3 text-muted">
        Run this on the machine that has the code. Grove then uses that clone and does not need a URL. The
        project appears here.
      </p>
      <CopyLine text={`${command} project add <path>`} label="Copy the command" />
    </section>
  );
}
