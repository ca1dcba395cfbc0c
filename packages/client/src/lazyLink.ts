import type { AppRouter } from "@grove/api/router";
import { type OperationLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";

/**
 * A link that is loaded when the first operation needs it, so that pages without one do not load its code.
 * @param load called once, and again for a later operation if it fails
 */
export const lazyLink =
  (load: () => Promise<TRPCLink<AppRouter>>): TRPCLink<AppRouter> =>
  (runtime) => {
    let loading: Promise<OperationLink<AppRouter>> | undefined;
    const loaded = () => {
      loading ??= load().then((link) => link(runtime));
      return loading;
    };
    return (operation) =>
      observable((observer) => {
        let closed = false;
        let subscription: Unsubscribable | undefined;
        loaded().then(
          (link) => {
            if (!closed) subscription = link(operation).subscribe(observer);
          },
          (error: Error) => {
            loading = undefined;
            observer.error(TRPCClientError.from(error));
          },
        );
        return () => {
          closed = true;
          subscription?.unsubscribe();
        };
      });
  };
