import type { WorkspaceDetails } from "@grove/schemas";
import { NO_VALUE } from "../../ui/noValue";
import { VisibleName } from "../../ui/visibleName";

/** Addresses of this machine. */
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * The ports on which a workspace's programs listen. They are links if the console itself is open at an address of this
 * machine, as it is in local mode; elsewhere the device may be another machine.
 */
export function Ports({ ports }: Pick<WorkspaceDetails, "ports">) {
  if (ports.length === 0) return NO_VALUE;
  const isThisMachine = LOOPBACK.includes(location.hostname);
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {ports.map(({ port, pid, program }) => (
        <li key={`${port} ${pid}`}>
          {isThisMachine ? (
            <a
              href={`http://127.0.0.1:${port}`}
              target="_blank"
              rel="noreferrer"
              className="font-mono text-accent text-sm underline underline-offset-2"
            >
              {port}
            </a>
          ) : (
            <span className="font-mono text-sm">{port}</span>
          )}{" "}
          <VisibleName className="text-muted text-sm">{program}</VisibleName>
        </li>
      ))}
    </ul>
  );
}
