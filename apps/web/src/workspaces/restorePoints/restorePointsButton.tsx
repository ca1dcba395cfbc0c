import { History } from "lucide-react";
import { Suspense, useState } from "react";
import { lazily } from "../../lib/browser/lazily";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { IconButton } from "../../ui/button";
import type { DiffInput } from "../view/diffQuery";

const RestorePointsDialog = lazily(async () => (await import("./restorePointsDialog")).RestorePointsDialog);

export type RestorePointsProps = Pick<DiffInput, "target" | "workspaceId">;

/** Opens the list of restore points. */
export function RestorePointsButton(props: RestorePointsProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts({
    title: "Changes",
    scope: "page",
    shortcuts: [{ keys: "z", title: "Restore points", run: open }],
  });
  return (
    <>
      <IconButton label="Restore points" onClick={open}>
        <History aria-hidden="true" className="size-4" />
      </IconButton>
      {isOpen && (
        <Suspense fallback={<HoldKeys />}>
          <RestorePointsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
