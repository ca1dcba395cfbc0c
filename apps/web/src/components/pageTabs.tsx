import { Link } from "@tanstack/react-router";
import { TabBar } from "../ui/tabBar";
import { tabClass } from "../ui/tabClass";

/** The pages whose parameter `tab` selects one of their tabs; without it, the first. */
type TabbedPage =
  | "/o/$organization/admin"
  | "/o/$organization/settings"
  | "/o/$organization/devices/$deviceId"
  | "/o/$organization/projects/$project";

interface PageTabsProps<Tab extends string> {
  label: string;
  page: TabbedPage;
  tabs: readonly (readonly [title: string, tab?: Tab])[];
  current: Tab | undefined;
}

/** The tabs of a page. Each has its own address. */
export const PageTabs = <Tab extends string>({ label, page, tabs, current }: PageTabsProps<Tab>) => (
  <div className="border-line border-b">
    <TabBar label={label}>
      {tabs.map(([title, tab]) => (
        <Link
          key={title}
          from={page}
          to="."
          search={{ tab }}
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
);
