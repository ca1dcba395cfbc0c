import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { WithNonce } from "../ui/nonce";
import { queryClient } from "./api";
import { router } from "./router";

/** The whole console. */
export const Console = () => (
  <WithNonce>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </WithNonce>
);
