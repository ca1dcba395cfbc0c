import type { AgentSession } from "@grove/schemas";
import { Pencil } from "lucide-react";
import { Suspense, useState } from "react";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { IconButton } from "../ui/button";

const RenameDialog = lazily(async () => (await import("./renameSessionDialog")).RenameSessionDialog);

export function RenameSession({ session }: { session: AgentSession }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Rename the session" onClick={() => setOpen(true)}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <Suspense fallback={<HoldKeys />}>
        {open && <RenameDialog session={session} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
