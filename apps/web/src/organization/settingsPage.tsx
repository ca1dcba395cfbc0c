import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { ConnectionNote } from "../components/connectionNote";
import { PageTabs } from "../components/pageTabs";
import { lazily } from "../lib/browser/lazily";
import { Page } from "../ui/page";
import { GeneralTab } from "./generalTab";

export { NotificationsPage } from "./notifications/notificationsPage";

const IntegrationsTab = lazily(async () => (await import("./integrations/integrationsTab")).IntegrationsTab);
const AuditTab = lazily(async () => (await import("./audit/auditTab")).AuditTab);
const UsageTab = lazily(async () => (await import("./usage/usageTab")).UsageTab);

const route = getRouteApi("/signed-in/o/$organization/settings");

const tabs = [
  ["General"],
  ["Integrations", "integrations"],
  ["Audit log", "audit"],
  ["Usage", "usage"],
] as const;

/** The organization's settings. Each tab has its own address. */
export function SettingsPage() {
  const { tab: current } = route.useSearch();
  return (
    <Page title="Organization settings">
      <ConnectionNote />
      <PageTabs label="Settings" page="/o/$organization/settings" tabs={tabs} current={current} />
      {current === undefined && <GeneralTab />}
      <Suspense>
        {current === "integrations" && <IntegrationsTab />}
        {current === "audit" && <AuditTab />}
        {current === "usage" && <UsageTab />}
      </Suspense>
    </Page>
  );
}
