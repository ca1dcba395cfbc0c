import type { Device } from "@grove/schemas";
import { useIsFetching } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useUser } from "../hooks/useOrganization";
import { lazily } from "../lib/browser/lazily";
import { Button } from "../ui/button";
import { Section } from "../ui/section";

// Loaded lazily, because it bundles the schemas of all device tools.
const DoctorFindings = lazily(async () => (await import("./doctorFindings")).DoctorFindings);

/** Runs the device's doctor on request. */
export function DoctorSection({ device }: { device: Device }) {
  const user = useUser();
  const [runs, setRuns] = useState(0);
  const isBusy = useIsFetching({ queryKey: ["doctor", device.id] }) > 0;
  const reason =
    device.shared || device.ownerId === user.id ? undefined : "Only the owner can use this device.";
  return (
    <Section
      title="Health check"
      actions={
        <Button reason={reason} busy={isBusy} onClick={() => setRuns(runs + 1)}>
          {runs === 0 ? "Check now" : "Check again"}
        </Button>
      }
    >
      {runs === 0 ? (
        <p className="text-muted">
          {reason ?? "Checks git, the disk, the coding agents and the connection to this server."}
        </p>
      ) : (
        <Suspense>
          <DoctorFindings deviceId={device.id} run={runs} />
        </Suspense>
      )}
    </Section>
  );
}
