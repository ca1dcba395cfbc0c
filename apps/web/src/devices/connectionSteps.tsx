import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../lib/api";
import { PAIRING_POLL_MS } from "../lib/queries/pollIntervals";
import { buttonClass } from "../ui/button";
import { CopyLine } from "../ui/copyButton";
import { Steps } from "../ui/steps";

interface ConnectionStepsProps {
  organization: { id: string; slug: string };
  /** The id of the device once it is registered. */
  deviceId: string;
}

/** Shows when a machine has registered and when it has connected. */
export function ConnectionSteps({ organization, deviceId }: ConnectionStepsProps) {
  // Reads the list, because `device.get` fails until the device is registered.
  const list = useQuery(
    queries.device.list.queryOptions(
      { organizationId: organization.id },
      { refetchInterval: PAIRING_POLL_MS },
    ),
  );
  const device = list.data?.find(({ id }) => id === deviceId);
  const isOnline = device?.status === "online";
  return (
    <div className="flex flex-col items-start gap-5">
      <Steps
        steps={[
          {
            title: device ? `Registered as ${device.name}` : "Waiting for the machine to register",
            done: Boolean(device),
          },
          { title: isOnline ? "Connected" : "Waiting for the machine to connect", done: isOnline },
        ]}
      />
      {device && !isOnline && (
        <div className="w-full">
          <p className="mb-2 text-muted">
            If it does not connect on its own, start grove-device on that machine:
          </p>
          <CopyLine text="grove-device start" label="Copy the command that starts grove-device" />
        </div>
      )}
      {isOnline && (
        <Link
          to="/o/$organization/devices/$deviceId"
          params={{ organization: organization.slug, deviceId }}
          className={buttonClass("primary")}
        >
          Open the device
        </Link>
      )}
    </div>
  );
}
