import { useEffect } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";

/** Keeps everything that is shown about the organization live. The code comes after the first list. */
export function useLive(): void {
  const { id: organizationId } = useOrganization();
  const { id: userId } = useUser();
  useEffect(() => {
    let leave = () => {};
    let left = false;
    void import("./live").then(({ lookAt }) => {
      if (!left) leave = lookAt({ organizationId, userId });
    });
    return () => {
      left = true;
      leave();
    };
  }, [organizationId, userId]);
}
