import type { DevicePrincipal } from "@grove/auth";
import type { DeviceConnectInput, DeviceEvent } from "@grove/schemas";
import pLimit from "p-limit";
import { endWhenDraining } from "../../lib/draining";
import type { Services } from "../../services";
import { connect } from "./connect";
import { DeviceStream } from "./deviceStream";
import { Inbox } from "./inbox";
import { LocalStream } from "./localStream";

/** How many devices connect at a time: after an outage all reconnect together, and each needs statements. */
const connecting = pLimit(64);

/**
 * Streams a device its commands: claims them as they come, and sends each at least once. The rows show which are open.
 * The stream ends when the device disconnects, is revoked, falls silent or connects again, when this process drains,
 * and after 14 minutes.
 */
export async function* deliver(
  services: Services,
  device: DevicePrincipal,
  input: DeviceConnectInput,
  clientGone: AbortSignal,
  stillValid: () => Promise<boolean>,
): AsyncGenerator<DeviceEvent> {
  const { notifier } = services.database;
  const inbox = new Inbox();
  // Listening begins before the first read, so that no change between the two is missed.
  const unsubscribe = [
    notifier.subscribe("device_wake", device.deviceId, (event) => inbox.onWake(event)),
    notifier.subscribe("credential_revoked", device.deviceId, () => inbox.onRevoked()),
  ];
  try {
    // The device may have disconnected while the database stalled. Its old connection must not replace its newer one.
    const connected = await connecting(() => {
      if (clientGone.aborted) return undefined;
      endWhenDraining({ draining: services.stopping });
      return connect(services, device, input);
    });
    if (connected === undefined) return;
    const { organizationId, deviceId, keyHash } = device;
    const { epoch, leaseId } = connected;
    const stream = { organizationId, deviceId, journalId: input.journalId, epoch };
    const local = new LocalStream({ stream, inbox, keyHash, leaseId });
    yield* new DeviceStream(services, local, clientGone, stillValid).run();
  } finally {
    for (const end of unsubscribe) end();
  }
}
