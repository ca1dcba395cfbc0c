import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "../lib/api";
import { WithNonce } from "../ui/nonce";
import { router } from "./router";

export const Console = () => (
  <WithNonce>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </WithNonce>
);
