import type { Device, Workspace } from "@grove/schemas";
import { Pencil } from "lucide-react";
import { Suspense, useState } from "react";
import { deviceTexts } from "../components/deviceStates";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { Button } from "../ui/button";

const RenameDialog = lazily(async () => (await import("./renameDialog")).RenameDialog);

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
        {open && <RenameDialog workspace={workspace} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
