import type { Anchor } from "@grove/schemas";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { client, queries, queryClient } from "../../lib/api";
import { errorMessage } from "../../ui/problem";
import { showToast } from "../../ui/showToast";

/** How long after a key a draft is saved. */
const SAVE_AFTER_MS = 500;

export interface DraftKey {
  organizationId: string;
  changeId: string;
  id: string;
}

/** The saves that have not ended. */
const running = new Set<Promise<void>>();

/** Resolves when the drafts are saved that an editor has begun to save. */
export const draftsSaved = () => Promise.all(running);

/**
 * A draft that is saved half a second after each change, when its editor loses the focus, and when it closes.
 * @param readAnchor may still wait for the machine; the text is saved after that, even if the editor was closed
 */
export function useDraft(key: DraftKey, readAnchor: () => Promise<Anchor>, initial: string) {
  const [body, setBody] = useState(initial);
  const [savedBody, setSavedBody] = useState(initial);
  const [error, setError] = useState<Error>();
  const isShown = useRef(true);
  /** The text of the last save, which may still be in progress. */
  const requestedBody = useRef(initial);
  const lastSave = useRef<Promise<void>>(Promise.resolve());
  const save = () => {
    if (body === requestedBody.current || body.trim() === "") return;
    requestedBody.current = body;
    // One after another, so that the newest text is the last.
    const saving = lastSave.current
      .then(() => saveDraft(key, readAnchor, body))
      .then(
        () => {
          setSavedBody(body);
          setError(undefined);
        },
        (failure: Error) => {
          requestedBody.current = savedBody;
          setError(failure);
          if (!isShown.current)
            showToast({
              title: "Could not save a comment.",
              description: `${errorMessage(failure)}\n${body}`,
            });
        },
      );
    lastSave.current = saving;
    running.add(saving);
    void saving.then(() => running.delete(saving));
  };
  const saveLatest = useEffectEvent(save);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the pause again.
  useEffect(() => {
    const timer = setTimeout(() => saveLatest(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [body]);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      saveLatest();
    };
  }, []);
  return { body, setBody, save, error, isSaved: body === savedBody && body !== "" };
}

async function saveDraft(key: DraftKey, readAnchor: () => Promise<Anchor>, body: string): Promise<void> {
  await client.workspace.review.save.mutate({ ...key, anchor: await readAnchor(), body });
  await queryClient.invalidateQueries(queries.workspace.review.list.pathFilter());
}
