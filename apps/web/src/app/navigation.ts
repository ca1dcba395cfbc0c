import { linkOptions } from "@tanstack/react-router";
import { Bot, FolderGit2, Layers, MonitorDot, SquareKanban } from "lucide-react";

/** The rooms, as the sidebar lists them. */
export const navigation = [
  { title: "Devices", icon: MonitorDot, link: linkOptions({ from: "/o/$organization", to: "./devices" }) },
  { title: "Tasks", icon: SquareKanban, link: linkOptions({ from: "/o/$organization", to: "./tasks" }) },
  {
    title: "Projects",
    icon: FolderGit2,
    link: linkOptions({ from: "/o/$organization", to: "./projects" }),
  },
  {
    title: "Workspaces",
    icon: Layers,
    link: linkOptions({ from: "/o/$organization", to: "./workspaces" }),
  },
  { title: "Agents", icon: Bot, link: linkOptions({ from: "/o/$organization", to: "./agents" }) },
];
