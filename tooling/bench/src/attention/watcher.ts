import type { Client, Outputs } from "@grove/client";
import type { Scope } from "../scope";

type OrganizationEvent =
  Outputs["organization"]["watch"] extends AsyncIterable<{ data: infer Event }> ? Event : never;

export interface Watcher {
  /** Resolves with the first result of `find` that is not undefined, and the time of its event. */
  next<T>(find: (event: OrganizationEvent) => T | undefined): Promise<{ found: T; at: number }>;
}

/** Watches an organization, as the console does. Resolves once no later change can be missed. */
export async function watch(scope: Scope, client: Client, organizationId: string): Promise<Watcher> {
  const listeners = new Set<(event: OrganizationEvent) => void>();
  const subscription = client.organization.watch.subscribe(
    { organizationId },
    {
      onData: ({ data }) => {
        for (const listener of listeners) listener(data);
      },
    },
  );
  scope.defer(() => subscription.unsubscribe());
  const next: Watcher["next"] = (find) =>
    new Promise((resolve) => {
      const listener = (event: OrganizationEvent) => {
        const at = performance.now();
        const found = find(event);
        if (found === undefined) return;
        listeners.delete(listener);
        resolve({ found, at });
      };
      listeners.add(listener);
    });
  await next(({ type }) => type === "ready" || undefined);
  return { next };
}
