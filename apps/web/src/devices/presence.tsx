import type { Device } from "@grove/schemas";
import { Time } from "../ui/time";
import { presenceOf } from "./words";

/** A device's presence, by shape and by word; offline with the reason and since when. */
export function Presence({ device }: { device: Device }) {
  const { words, since } = presenceOf(device);
  const isOnline = device.status === "online";
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full ${isOnline ? "bg-accent" : "border-2 border-edge"}`}
      />
      <span className={isOnline ? "" : "text-muted"}>
        {words}
        {since && (
          <>
            {", "}
            <Time at={since} />
          </>
        )}
      </span>
    </span>
  );
}
