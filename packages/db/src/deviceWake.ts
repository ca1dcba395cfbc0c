import { type Expression, type RawBuilder, sql } from "kysely";
import { type Notifier, notification } from "./notifier";

/** The kinds of wake-ups with a value. Instances of the previous release read them too. */
const kinds = ["claimed", "cancel", "settled", "watch", "epoch"] as const;
type Kind = (typeof kinds)[number];

/**
 * Why the stream of a device is woken. `queued`: the device has a new command. The value of the others is the id of a
 * command or, for `watch`, of a session; for `epoch`, it is the number of the device's newest stream.
 */
export type DeviceWake<Value = string> = { kind: "queued" } | { kind: Kind; value: Value };

/**
 * Returns an SQL call that wakes a device's stream at the commit; see `notification`.
 * @param deviceId SQL for the device's id, as `wake.value` is for the value
 */
export const deviceNotification = (
  deviceId: Expression<unknown>,
  wake: DeviceWake<Expression<unknown>>,
): RawBuilder<string> =>
  notification(
    "device_wake",
    wake.kind === "queued"
      ? sql<string>`${deviceId}::text`
      : sql<string>`${deviceId} || ${sql.lit(` ${wake.kind} `)} || ${wake.value}`,
  );

/** Wakes a device's stream after the commit; see `Notifier.announce`. */
export const announceToDevice = (
  notifier: Pick<Notifier, "announce">,
  deviceId: string,
  wake: DeviceWake,
): void =>
  notifier.announce(
    "device_wake",
    wake.kind === "queued" ? deviceId : `${deviceId} ${wake.kind} ${wake.value}`,
  );

/** Parses the detail of a wake-up. @returns undefined for a kind of a newer release */
export function parseDeviceWake(detail: string): DeviceWake | undefined {
  if (detail === "") return { kind: "queued" };
  const [name, value = ""] = detail.split(" ");
  const kind = kinds.find((each) => each === name);
  return kind && { kind, value };
}
