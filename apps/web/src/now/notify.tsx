import { Bell } from "lucide-react";
import { allowNotifications, useNotificationPermission } from "../lib/desktopNotifications";
import { Button } from "../ui/button";

/** Offers notifications, as long as the browser has not been asked. */
export function Notify() {
  if (useNotificationPermission() !== "default") return null;
  return (
    <Button look="quiet" onClick={() => void allowNotifications()}>
      <Bell aria-hidden="true" className="size-4" />
      Notify me
    </Button>
  );
}
