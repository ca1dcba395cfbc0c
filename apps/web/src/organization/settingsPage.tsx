import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { ConnectionNote } from "../components/connectionNote";
import { lazily } from "../lib/browser/lazily";
import { Page } from "../ui/page";
import { TabBar } from "../ui/tabBar";
import { tabClass } from "../ui/tabClass";
import { GeneralTab } from "./generalTab";

export { NotificationsPage } from "./notifications/notificationsPage";

const IntegrationsTab = lazily(async () => (await import("./integrations/integrationsTab")).IntegrationsTab);
const AuditTab = lazily(async () => (await import("./audit/auditTab")).AuditTab);
const UsageTab = lazily(async () => (await import("./usage/usageTab")).UsageTab);

const route = getRouteApi("/signed-in/o/$organization/settings");

const tabs: readonly [title: string, tab?: string][] = [
  ["General"],
  ["Integrations", "integrations"],
  ["Audit log", "audit"],
  ["Usage", "usage"],
];

/** The organization's settings. Each tab has its own address. */
export function SettingsPage() {
  const { tab: current } = route.useSearch();
  return (
    <Page title="Organization settings">
      <ConnectionNote />
      <div className="border-line border-b">
        <TabBar label="Settings">
          {tabs.map(([title, tab]) => (
            <Link
              key={title}
              from="/o/$organization/settings"
              to="."
              search={tab === undefined ? {} : { tab }}
              // Set explicitly, because the address may contain more parameters than the tab.
              aria-current={current === tab ? "page" : undefined}
              activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
              className={tabClass}
            >
              {title}
            </Link>
          ))}
        </TabBar>
      </div>
      {current === undefined && <GeneralTab />}
      <Suspense>
        {current === "integrations" && <IntegrationsTab />}
        {current === "audit" && <AuditTab />}
        {current === "usage" && <UsageTab />}
      </Suspense>
    </Page>
  );
}
