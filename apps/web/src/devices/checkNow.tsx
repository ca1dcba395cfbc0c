import type { Device } from "@grove/schemas";
import { useIsFetching } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useUser } from "../hooks/useOrganization";
import { lazily } from "../lib/lazily";
import { Button } from "../ui/button";
import { Section } from "../ui/section";

// It brings in the schemas of the device's tools.
const Doctor = lazily(async () => (await import("./doctor")).Doctor);

/** Lets a device check itself, when somebody asks for it. */
export function CheckNow({ device }: { device: Device }) {
  const user = useUser();
  const [asked, setAsked] = useState(0);
  const isBusy = useIsFetching({ queryKey: ["doctor", device.id] }) > 0;
  const reason = !device.capabilities.includes("run_doctor")
    ? "Its agent is too old for this. Update it first."
    : device.shared || device.ownerId === user.id
      ? undefined
      : "Only its owner may use this device.";
  return (
    <Section
      title="Check"
      actions={
        <Button reason={reason} busy={isBusy} onClick={() => setAsked(asked + 1)}>
          {asked === 0 ? "Check now" : "Check again"}
        </Button>
      }
    >
      {asked === 0 ? (
        <p className="text-muted">
          {reason ??
            "Finds out whether git, the disk, the coding agents and the way to this server are all right."}
        </p>
      ) : (
        <Suspense>
          <Doctor deviceId={device.id} asked={asked} />
        </Suspense>
      )}
    </Section>
  );
}
