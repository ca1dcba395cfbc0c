import type { Device, DeviceToolResult } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { fileSize } from "../files/fileSize";
import { useOrganization } from "../hooks/useOrganization";
import { toolQuery } from "../lib/commands/deviceTools";
import { DescriptionList } from "../ui/descriptionList";
import { pluralize } from "../ui/pluralize";
import { Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

type Status = DeviceToolResult<"get_machine_status">;

/**
 * Shows the name, the load and the free space of a device that is online, read when the page is opened or returned to.
 */
export function MachineSection({ device }: { device: Device }) {
  const { id: organizationId } = useOrganization();
  const { data, error, refetch } = useQuery({
    ...toolQuery({ organizationId, deviceId: device.id }, "get_machine_status", {}),
    refetchOnMount: "always",
  });
  return (
    <Section title="Machine">
      {error && <Problem title="Could not read the load." error={error} onRetry={() => void refetch()} />}
      {data && <MachineStatus status={data} />}
    </Section>
  );
}

const MachineStatus = ({ status }: { status: Status }) => {
  const { hostName, load, processors, memory, disk, startedAt } = status;
  return (
    <DescriptionList
      facts={[
        ["Host name", <VisibleName key="host">{hostName}</VisibleName>],
        [
          "Load",
          load === null
            ? pluralize(processors, "processor")
            : `${load.toFixed(1)} on ${pluralize(processors, "processor")}`,
        ],
        ["Memory", spaceText(memory)],
        ["Disk", disk ? spaceText(disk) : "Unknown"],
        ["Running since", <Time key="started" at={startedAt} />],
      ]}
    />
  );
};

const spaceText = ({ freeBytes, totalBytes }: Status["memory"]): string =>
  `${fileSize(freeBytes)} free of ${fileSize(totalBytes)}`;
