import { getRouteApi, Link } from "@tanstack/react-router";
import { useUser } from "../hooks/useOrganization";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { TabBar } from "../ui/tabBar";
import { tabClass } from "../ui/tabClass";
import { OrganizationsTab } from "./organizationsTab";
import { StatsSection } from "./statsSection";
import { UsersTab } from "./usersTab";

const route = getRouteApi("/signed-in/o/$organization/admin");

const tabs: readonly [title: string, tab?: string][] = [["Accounts"], ["Organizations", "organizations"]];

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
      <div className="mt-8 mb-4 border-line border-b">
        <TabBar label="Administration">
          {tabs.map(([title, tab]) => (
            <Link
              key={title}
              from="/o/$organization/admin"
              to="."
              search={tab === undefined ? {} : { tab }}
              aria-current={current === tab ? "page" : undefined}
              activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
              className={tabClass}
            >
              {title}
            </Link>
          ))}
        </TabBar>
      </div>
      {current === undefined ? <UsersTab /> : <OrganizationsTab />}
    </Page>
  );
}
