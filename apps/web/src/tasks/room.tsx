import { Outlet } from "@tanstack/react-router";
import { Toasts } from "../ui/toast";

/** The room around its pages: messages have their place here. */
export const TasksRoom = () => (
  <>
    <Outlet />
    <Toasts />
  </>
);
