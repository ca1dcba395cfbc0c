import { Bell } from "lucide-react";
import { allowNotifications, useNotificationPermission } from "../lib/agentSessions/desktopNotifications";
import { Button } from "../ui/button";

/** Requests the permission for notifications. Hidden once the user has decided. */
export function NotifyButton() {
  if (useNotificationPermission() !== "default") return null;
  return (
    <Button look="quiet" onClick={() => void allowNotifications()}>
      <Bell aria-hidden="true" className="size-4" />
      Notify me
    </Button>
  );
}
