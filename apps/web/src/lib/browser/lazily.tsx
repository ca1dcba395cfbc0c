import { type ComponentType, lazy } from "react";
import { LoadFailure } from "../../components/loadFailure";

/** `React.lazy` that renders an error in place of a component that fails to load. The rest of the page stays. */
export const lazily = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: LoadFailure };
    }
  });
