import { useEffect, useRef, useState } from "react";
import { queryClient } from "../../lib/api";
import { showToast } from "../../ui/showToast";
import type { SessionKey } from "../useSessionOutput";
import { type FailedInput, InputQueue } from "./inputQueue";
import { typeText, wasRefused } from "./typeText";

/** Sends typed text to a session. The queue outlives the page until all text has arrived. */
export function useInputQueue({ organizationId, id }: SessionKey) {
  const queue = useRef<InputQueue>(undefined);
  const [failedInput, setFailedInput] = useState<FailedInput>();
  const [slowText, setSlowText] = useState("");
  useEffect(() => {
    const cached = { queryKey: ["pendingInput", id] };
    const send = (text: string) => typeText({ organizationId, id }, text, "live");
    const input =
      queryClient.getQueryData<InputQueue>(cached.queryKey) ??
      new InputQueue({ send, wasRefused, onPending: confirmUnloadWhilePending() });
    queryClient.removeQueries(cached);
    setFailedInput(input.follow(setFailedInput, setSlowText));
    queue.current = input;
    return () => {
      input.follow(reportFailureElsewhere);
      // Kept for back navigation, until the cache expires or the user signs out.
      if (!input.isDone) queryClient.setQueryData(cached.queryKey, input);
      setFailedInput(undefined);
      setSlowText("");
    };
  }, [organizationId, id]);
  return { queue, failedInput, slowText };
}

/** Shows a toast if input fails after the user has left the terminal. */
function reportFailureElsewhere(failedInput: FailedInput | undefined): void {
  if (!failedInput) return;
  showToast({
    title: "Some of your input may not have arrived",
    description: "Open the agent's terminal to check it.",
  });
}

/** Makes the browser confirm before it closes the page while text is pending. */
function confirmUnloadWhilePending(): (isPending: boolean) => void {
  const confirmUnload = (event: Event) => event.preventDefault();
  return (isPending) => {
    if (isPending) addEventListener("beforeunload", confirmUnload);
    else removeEventListener("beforeunload", confirmUnload);
  };
}
