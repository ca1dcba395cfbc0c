import type { Device, Workspace } from "@grove/schemas";
import { Pencil } from "lucide-react";
import { Suspense, useState } from "react";
import { deviceTexts } from "../components/deviceStates";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { Button } from "../ui/button";

const RenameWorkspaceDialog = lazily(
  async () => (await import("./renameWorkspaceDialog")).RenameWorkspaceDialog,
);

/** Renames a workspace. The device performs it, so it must be online. */
export function RenameButton({ workspace, device }: { workspace: Workspace; device: Device | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        reason={device?.status === "online" ? undefined : deviceTexts.mustBeOnline}
        onClick={() => setOpen(true)}
      >
        <Pencil aria-hidden="true" className="size-4" />
        <span className="max-sm:sr-only">Rename</span>
      </Button>
      <Suspense fallback={<HoldKeys />}>
        {open && <RenameWorkspaceDialog workspace={workspace} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
