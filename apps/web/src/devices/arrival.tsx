import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../lib/api";
import { buttonClass } from "../ui/button";
import { CopyLine } from "../ui/copy";
import { Steps } from "../ui/steps";
import { WAITING_MS } from "./refresh";

interface ArrivalProps {
  organization: { id: string; slug: string };
  /** The id that the device will have. */
  deviceId: string;
}

/** Waits for a machine: it registers, then it connects. */
export function Arrival({ organization, deviceId }: ArrivalProps) {
  // The list, since a device that is not there yet is no error.
  const list = useQuery(
    queries.device.list.queryOptions({ organizationId: organization.id }, { refetchInterval: WAITING_MS }),
  );
  const device = list.data?.find(({ id }) => id === deviceId);
  const isOnline = device?.status === "online";
  return (
    <div className="flex flex-col items-start gap-5">
      <Steps
        steps={[
          { title: device ? `Registered as ${device.name}` : "The machine registers", done: Boolean(device) },
          { title: isOnline ? "Connected" : "The machine connects", done: isOnline },
        ]}
      />
      {device && !isOnline && (
        <div className="w-full">
          <p className="mb-2 text-muted">
            If it does not connect by itself, start the agent on that machine:
          </p>
          <CopyLine text="grove-device start" label="Copy the command that starts it" />
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
