import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "./api";
import { nonce } from "./nonce";
import { router } from "./router";

/** The whole console. */
export const Console = () => (
  <CSPProvider nonce={nonce}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </CSPProvider>
);
