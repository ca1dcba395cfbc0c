import { type QueryKey, type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { queryClient } from "../lib/api";

interface AfterChange<Data, Variables> {
  /** The queries that the mutation makes stale. */
  refetch: readonly { queryKey?: QueryKey }[];
  /** Called after the refetch, such as to close a dialog. */
  onDone?: (data: Data, variables: Variables) => unknown;
}

/** A mutation that stays pending until the queries that it changed are refetched. */
export const useMutationWithRefetch = <Data, Variables, Failure = Error, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Context>,
  { refetch, onDone }: AfterChange<Data, Variables>,
) =>
  useMutation({
    ...options,
    onSuccess: async (data, variables) => {
      await Promise.all(refetch.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
      await onDone?.(data, variables);
    },
  });
