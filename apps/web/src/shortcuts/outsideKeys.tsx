import { Suspense } from "react";
import { authQuery, queryClient } from "../lib/api";
import { lazily } from "../lib/lazily";
import { keepEarlyKeys } from "./early";

const Keys = lazily(async () => {
  // The page is drawn before its keys are there. Nothing that is pressed meanwhile is lost.
  keepEarlyKeys();
  return (await import("./keysOutside")).KeysOutside;
});

/** The keys of a page without the frame, if somebody is signed in. */
export const OutsideKeys = () => (
  <Suspense>{queryClient.getQueryData(authQuery.queryKey)?.session && <Keys />}</Suspense>
);
