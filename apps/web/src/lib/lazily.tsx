import { type ComponentType, lazy } from "react";
import { NotLoaded } from "../components/notLoaded";

/** A component that is loaded when it is needed. If that fails, its place says so, and the rest of the page stays. */
export const lazily = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: NotLoaded };
    }
  });
