import { toError } from "@grove/schemas";
import { useRef } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { client, queries } from "../lib/api";
import { errorMessage, fieldError } from "../ui/problem";
import type { Entry, Fault } from "./parseEnv";

const CONCURRENCY = 10;

interface SetSecretsOptions {
  organizationId: string;
  projectId: string;
  onDone: () => void;
}

/** Sets many secrets. Returns those that the API refused; a retry skips those that were already set. */
export function useSetSecrets({ organizationId, projectId, onDone }: SetSecretsOptions) {
  /** The values that were set before a line failed, by name. */
  const savedValues = useRef(new Map<string, string>());
  const setAll = async (entries: readonly Entry[]): Promise<Fault[]> => {
    const unsaved = entries.filter(({ key, value }) => savedValues.current.get(key) !== value);
    const refused: Fault[] = [];
    for (let start = 0; start < unsaved.length; start += CONCURRENCY)
      await Promise.all(
        unsaved.slice(start, start + CONCURRENCY).map(async ({ key, value, line }) => {
          try {
            await client.project.setSecret.mutate({ organizationId, projectId, key, value });
            savedValues.current.set(key, value);
          } catch (error) {
            refused.push({ line, message: `${key}: ${refusalMessage(error)}` });
          }
        }),
      );
    return refused;
  };
  return useMutationWithRefetch(
    { mutationFn: setAll, gcTime: 0 },
    {
      refetch: [queries.project.listSecrets.pathFilter()],
      onDone: (refused) => {
        if (refused.length === 0) onDone();
      },
    },
  );
}

function refusalMessage(thrown: unknown): string {
  const error = toError(thrown);
  return fieldError(error, "value") ?? fieldError(error, "key") ?? errorMessage(error);
}
