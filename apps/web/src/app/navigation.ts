import { linkOptions } from "@tanstack/react-router";
import { MonitorDot, SquareKanban } from "lucide-react";

/** The rooms, as the sidebar lists them. */
export const navigation = [
  { title: "Devices", icon: MonitorDot, link: linkOptions({ from: "/o/$organization", to: "./devices" }) },
  { title: "Tasks", icon: SquareKanban, link: linkOptions({ from: "/o/$organization", to: "./tasks" }) },
];
