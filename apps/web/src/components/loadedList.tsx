import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";

interface LoadedListProps<Item> {
  list: UseQueryResult<Item[], { message: string }>;
  /** The title of the error. */
  failed: string;
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}

/** A list with its loading, failed and empty states. A loaded list stays when a later refetch fails. */
export function LoadedList<Item>({ list, failed, empty, children }: LoadedListProps<Item>) {
  if (list.data) return list.data.length === 0 ? empty : children(list.data);
  if (list.error) return <Problem title={failed} error={list.error} onRetry={() => void list.refetch()} />;
  return <Skeleton />;
}
