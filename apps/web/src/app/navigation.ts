import { linkOptions } from "@tanstack/react-router";
import { Bot, FolderGit2, KeyRound, Layers, MonitorDot, SquareKanban, Target, Users } from "lucide-react";

const from = "/o/$organization";

/**
 * The entries of the sidebar, in its order. `g` followed by an entry's `key` opens it. In its pages, `n` opens
 * `create`, unless the page defines its own `n`.
 */
export const navigation = [
  {
    title: "Now",
    icon: Target,
    key: "n",
    link: linkOptions({ from, to: "/o/$organization", activeOptions: { exact: true } }),
    create: { title: "Start an agent", link: linkOptions({ from, to: "./agents/new" }) },
  },
  { title: "Tasks", icon: SquareKanban, key: "t", link: linkOptions({ from, to: "./tasks" }) },
  {
    title: "Agents",
    icon: Bot,
    key: "a",
    link: linkOptions({ from, to: "./agents" }),
    create: { title: "Start an agent", link: linkOptions({ from, to: "./agents/new" }) },
  },
  {
    title: "Workspaces",
    icon: Layers,
    key: "w",
    link: linkOptions({ from, to: "./workspaces" }),
    create: { title: "New workspace", link: linkOptions({ from, to: "./workspaces/new" }) },
  },
  {
    title: "Projects",
    icon: FolderGit2,
    key: "p",
    link: linkOptions({ from, to: "./projects" }),
    create: { title: "Add a project", link: linkOptions({ from, to: "./projects/new" }) },
  },
  {
    title: "Devices",
    icon: MonitorDot,
    key: "d",
    link: linkOptions({ from, to: "./devices" }),
    create: { title: "Add a device", link: linkOptions({ from, to: "./devices/add" }) },
  },
  { title: "Members", icon: Users, key: "m", link: linkOptions({ from, to: "./members" }) },
  { title: "API keys", icon: KeyRound, key: "y", link: linkOptions({ from, to: "./keys" }) },
];
