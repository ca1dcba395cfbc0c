import { ConnectionNote } from "../../components/connectionNote";
import { Page } from "../../ui/page";
import { BrowserSection } from "./browserSection";
import { NotificationDeliveriesSection } from "./notificationDeliveriesSection";
import { RulesSection } from "./rulesSection";

/** How the current user is notified when an agent needs input, finishes or fails. */
export function NotificationsPage() {
  return (
    <Page
      title="Notifications"
      lead={
        <p className="text-muted">
          Choose how you are notified when an agent needs input, finishes or fails.
        </p>
      }
    >
      <div className="max-w-3xl">
        <ConnectionNote />
        <BrowserSection />
        <RulesSection />
        <NotificationDeliveriesSection />
      </div>
    </Page>
  );
}
