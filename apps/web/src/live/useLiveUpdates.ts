import { useEffect } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";

/** Keeps the organization's data live. The code is loaded lazily, so that the first list does not wait for it. */
export function useLiveUpdates(): void {
  const { id: organizationId } = useOrganization();
  const { id: userId } = useUser();
  useEffect(() => {
    let unfollow = () => {};
    let isUnmounted = false;
    void import("./followOrganization").then(({ followOrganization }) => {
      if (!isUnmounted) unfollow = followOrganization({ organizationId, userId });
    });
    return () => {
      isUnmounted = true;
      unfollow();
    };
  }, [organizationId, userId]);
}
