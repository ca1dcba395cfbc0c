import { GroveError } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import type { Services } from "../../services";
import { requestCancel } from "../end/cancel";
import type { AbandonedCommand } from "./abandoned";

/** Cancels the abandoned commands. Keeps the commands that cannot be canceled yet. */
export async function cancelAbandoned(services: Services): Promise<void> {
  const { abandoned } = services.dispatch;
  for (const command of abandoned.take())
    await requestCancel(services, command).catch((error) => {
      const isUnknown = error instanceof GroveError && error.code === "NOT_FOUND";
      if (isUnavailable(error) || (isUnknown && mayAppear(command))) abandoned.add(command);
      else if (!isUnknown) services.log.error({ err: error }, "could not cancel an abandoned command");
    });
}

/** Whether PostgreSQL may still make the command's row, although this process has lost its connection. */
const mayAppear = ({ insertEndsBy = 0 }: AbandonedCommand) => performance.now() < insertEndsBy;
