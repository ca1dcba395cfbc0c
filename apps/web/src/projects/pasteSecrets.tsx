import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { client, queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { errorMessage, fieldError } from "../ui/problem";
import { TextArea } from "../ui/textArea";
import { type Entry, type Fault, parseEnv } from "./parseEnv";

/** Concurrent calls. */
const CONCURRENCY = 10;

interface PasteSecretsProps {
  organizationId: string;
  projectId: string;
  /** Names of the existing secrets. */
  names: readonly string[];
  /** The initial text. */
  text: string;
  onClose: () => void;
}

/** Sets many secrets from lines. Lists invalid lines, and keeps the text until all secrets are set. */
export function PasteSecrets({ organizationId, projectId, names, text: given, onClose }: PasteSecretsProps) {
  const [text, setText] = useState(given);
  /** The values that were set before a line failed, by name. */
  const done = useRef(new Map<string, string>());
  const { entries, faults } = parseEnv(text);
  const known = entries.filter(({ key }) => names.includes(key)).length;
  const set = useMutation({
    gcTime: 0,
    mutationFn: async (all: readonly Entry[]): Promise<Fault[]> => {
      const left = all.filter(({ key, value }) => done.current.get(key) !== value);
      const refused: Fault[] = [];
      for (let at = 0; at < left.length; at += CONCURRENCY)
        await Promise.all(
          left.slice(at, at + CONCURRENCY).map(async ({ key, value, line }) => {
            try {
              await client.project.setSecret.mutate({ organizationId, projectId, key, value });
              done.current.set(key, value);
            } catch (error) {
              refused.push({ line, message: `${key}: ${refusalMessage(error)}` });
            }
          }),
        );
      return refused;
    },
    onSuccess: async (refused) => {
      await queryClient.invalidateQueries(queries.project.listSecrets.pathFilter());
      if (refused.length === 0) onClose();
    },
  });
  const wrong = [...faults, ...(set.data ?? [])].toSorted((a, b) => a.line - b.line);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (faults.length === 0 && entries.length > 0) set.mutate(entries);
  };
  return (
    <Dialog title="Paste many secrets" open onOpenChange={onClose} keepOpen>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Lines"
          hint="KEY=value, one per line, as in a .env file. Comments and empty lines are ignored."
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            set.reset();
          }}
          rows={10}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
        />
        <div role="status" className="flex flex-col gap-1 text-sm">
          {entries.length > 0 && (
            <p>
              {count(entries.length, "secret")}
              {known > 0 && `, of which ${known} ${known === 1 ? "gets" : "get"} a new value`}.
            </p>
          )}
          {wrong.length > 0 && (
            <>
              <p className="font-medium text-danger">
                {faults.length > 0 ? "Fix these lines first. Nothing was set:" : "Could not set these:"}
              </p>
              <ul className="flex max-h-40 flex-col gap-0.5 overflow-y-auto text-danger">
                {wrong.map(({ line, message }) => (
                  <li key={line} className="wrap-anywhere">
                    Line {line}: {message}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            busy={set.isPending}
            reason={
              faults.length > 0
                ? "Some lines are invalid."
                : entries.length === 0
                  ? "Paste some lines."
                  : undefined
            }
          >
            {set.isPending ? "Setting …" : `Set ${count(entries.length, "secret")}`}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;

const refusalMessage = (error: unknown): string => {
  const known = error instanceof Error ? error : new Error(String(error));
  return fieldError(known, "value") ?? fieldError(known, "key") ?? errorMessage(known);
};
