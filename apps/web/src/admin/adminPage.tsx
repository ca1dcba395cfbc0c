import { getRouteApi } from "@tanstack/react-router";
import { PageTabs } from "../components/pageTabs";
import { useUser } from "../hooks/useOrganization";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { OrganizationsTab } from "./organizationsTab";
import { StatsSection } from "./statsSection";
import { UsersTab } from "./usersTab";

const route = getRouteApi("/signed-in/o/$organization/admin");

const tabs = [["Accounts"], ["Organizations", "organizations"]] as const;

/** The whole instance, for its admins: how much it is used, its accounts and its organizations. */
export function AdminPage() {
  const { isAdmin } = useUser();
  const { tab: current } = route.useSearch();
  if (!isAdmin)
    return (
      <Page title="Administration">
        <Note title="Only admins of this instance can open this page." />
      </Page>
    );
  return (
    <Page title="Administration">
      <StatsSection />
      <div className="mt-8 mb-4">
        <PageTabs label="Administration" page="/o/$organization/admin" tabs={tabs} current={current} />
      </div>
      {current === undefined ? <UsersTab /> : <OrganizationsTab />}
    </Page>
  );
}
