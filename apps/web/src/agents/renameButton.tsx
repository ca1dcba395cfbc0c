import type { AgentSession } from "@grove/schemas";
import { Pencil } from "lucide-react";
import { Suspense, useState } from "react";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { IconButton } from "../ui/button";

const RenameDialog = lazily(async () => (await import("./renameDialog")).RenameDialog);

/** Renames a session. */
export function RenameButton({ session }: { session: AgentSession }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Rename" onClick={() => setOpen(true)}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <Suspense fallback={<HoldKeys />}>
        {open && <RenameDialog session={session} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
