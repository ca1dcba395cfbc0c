import { Link } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import { DevicePresence, offlineAdvice } from "../components/devicePresence";
import { useOrganization } from "../hooks/useOrganization";
import { pluralize } from "../ui/pluralize";
import { VisibleName } from "../ui/visibleName";
import { ItemLine, ItemList, linkClass } from "./itemList";
import type { OfflineDevice } from "./offlineDevices";

/** Machines that went offline while agents were running on them. */
export function OfflineDevicesList({ offline }: { offline: readonly OfflineDevice[] }) {
  const { slug: organization } = useOrganization();
  return (
    <ItemList title="Offline machines with running agents">
      {offline.map(({ device, agents }) => (
        <ItemLine key={device.id}>
          <Unplug aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <span className="min-w-0 flex-1 basis-64">
            <Link
              to="/o/$organization/devices/$deviceId"
              params={{ organization, deviceId: device.id }}
              className={linkClass}
            >
              <VisibleName>{device.name}</VisibleName>
            </Link>
            <span className="block text-muted text-sm">{offlineAdvice(device)?.text}</span>
          </span>
          <span className="text-muted text-sm">{pluralize(agents, "agent")}</span>
          <DevicePresence device={device} />
        </ItemLine>
      ))}
    </ItemList>
  );
}
