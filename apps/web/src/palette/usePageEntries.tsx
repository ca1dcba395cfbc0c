import { useMutation, useQuery } from "@tanstack/react-query";
import { linkOptions, useNavigate } from "@tanstack/react-router";
import {
  Bell,
  ChartLine,
  CircleUserRound,
  LogOut,
  Plug,
  Plus,
  ScrollText,
  Settings,
  ShieldCheck,
  SunMoon,
  Zap,
} from "lucide-react";
import { useState } from "react";
import { navigation } from "../app/navigation";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { authQuery, signOut, signOutKey } from "../lib/api";
import { setTheme, themes } from "../lib/browser/theme";
import { KeyCaps } from "../shortcuts/keyCaps";
import { currentGroups } from "../shortcuts/useShortcuts";
import type { Entry, EntryGroup } from "../ui/searchDialog";

/* Pages that are not in the navigation. */
const organizationPages = [
  {
    title: "Organization settings",
    icon: Settings,
    link: linkOptions({ to: "/o/$organization/settings", params: { organization: "" } }),
  },
  {
    title: "Organization settings › Integrations",
    icon: Plug,
    link: linkOptions({
      to: "/o/$organization/settings",
      params: { organization: "" },
      search: { tab: "integrations" },
    }),
  },
  {
    title: "Organization settings › Audit log",
    icon: ScrollText,
    link: linkOptions({
      to: "/o/$organization/settings",
      params: { organization: "" },
      search: { tab: "audit" },
    }),
  },
  {
    title: "Organization settings › Usage",
    icon: ChartLine,
    link: linkOptions({
      to: "/o/$organization/settings",
      params: { organization: "" },
      search: { tab: "usage" },
    }),
  },
  {
    title: "Notifications",
    icon: Bell,
    link: linkOptions({ to: "/o/$organization/notifications", params: { organization: "" } }),
  },
];
/* Pages of the instance's admins. */
const adminPages = [
  {
    title: "Administration",
    icon: ShieldCheck,
    link: linkOptions({ to: "/o/$organization/admin", params: { organization: "" } }),
  },
];
const userPages = [
  { title: "Your account", icon: CircleUserRound, link: linkOptions({ to: "/account" }) },
  { title: "New organization", icon: Plus, link: linkOptions({ to: "/new-organization" }) },
];

/** Returns the actions and shortcuts of the page below the palette, and the actions of all pages. */
export function useActionEntries(): EntryGroup {
  // A snapshot: the page below does not change while the palette is open.
  const [groups] = useState(currentGroups);
  const userActions = useUserActions();
  const sidebarPages = navigation.map(({ title }) => title);
  const shortcuts = groups
    .flatMap((group) => group.shortcuts)
    .filter(({ run, keys, title }) => run && keys !== "mod+k" && !sidebarPages.includes(title));
  const actions = groups.flatMap((group) => group.actions ?? []);
  return {
    value: "Actions",
    items: [
      ...actions.map(({ title, run }) => ({ id: title, title, icon: Zap, run })),
      ...shortcuts.map(({ keys, title, run = () => undefined }) => ({
        id: keys,
        title,
        icon: Zap,
        end: <KeyCaps keys={keys} />,
        run,
      })),
      ...userActions,
    ],
  };
}

/** Returns the actions of the account menu. */
function useUserActions(): Entry[] {
  const navigate = useNavigate();
  const signOutMutation = useMutation({
    mutationKey: signOutKey,
    mutationFn: () => signOut(() => navigate({ to: "/sign-in" })),
  });
  return [
    ...themes.map(({ value, title }) => ({
      id: `theme ${value}`,
      title: `Theme: ${title}`,
      icon: SunMoon,
      run: () => setTheme(value),
    })),
    { id: "sign out", title: "Sign out", icon: LogOut, run: () => signOutMutation.mutate() },
  ];
}

/** Returns the pages of the sidebar and the others. A user without an organization has only the user's own pages. */
export function usePageEntries(): EntryGroup {
  const organization = useAnyOrganization();
  const isAdmin = useQuery(authQuery).data?.session?.user.isAdmin ?? false;
  const navigate = useNavigate();
  const params = { organization: organization?.slug ?? "" };
  const sidebarPages = organization ? navigation : [];
  const otherPages = [
    ...(organization ? organizationPages : []),
    ...(organization && isAdmin ? adminPages : []),
    ...userPages,
  ];
  return {
    value: "Go to",
    items: [
      ...sidebarPages.map(({ title, icon, key, link }) => ({
        id: title,
        title,
        icon,
        end: <KeyCaps keys={`g ${key}`} />,
        run: () => void navigate({ ...link, params }),
      })),
      ...otherPages.map(({ title, icon, link }) => ({
        id: title,
        title,
        icon,
        run: () => void navigate({ ...link, params }),
      })),
    ],
  };
}
