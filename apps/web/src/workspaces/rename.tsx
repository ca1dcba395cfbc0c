import type { Device, Workspace } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { queries, queryClient } from "../app/api";
import { CommandFailed, runTool } from "../app/deviceTools";
import { useOrganization } from "../app/useOrganization";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

/** Renames a workspace, on its device and here. A workspace whose device is away keeps its name. */
export function Rename({ workspace, device }: { workspace: Workspace; device: Device | undefined }) {
  const { id: organizationId } = useOrganization();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  const rename = useMutation({
    mutationFn: async (name: string) => {
      const updates = [{ workspaceId: workspace.id, name }];
      const target = { organizationId, deviceId: workspace.deviceId ?? "" };
      const { workspaces } = await runTool(target, "update_workspace", { updates });
      const error = workspaces[0]?.error;
      if (error) throw new CommandFailed({ status: "failed", error });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.workspace.pathFilter());
      await queryClient.invalidateQueries({ queryKey: ["deviceTool"] });
      close();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get("name")));
  };
  if (!open)
    return (
      <Button
        ref={button}
        reason={device?.status === "online" ? undefined : "Its device must be online."}
        onClick={() => setOpen(true)}
      >
        <Pencil aria-hidden="true" className="size-4" />
        Rename
      </Button>
    );
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && close()}
      className="flex flex-wrap items-end gap-2"
    >
      <Field label="New name" name="name" defaultValue={workspace.name} maxLength={200} required autoFocus />
      <Button type="submit" look="primary" busy={rename.isPending}>
        Rename
      </Button>
      <Button look="quiet" onClick={close}>
        Cancel
      </Button>
      {rename.error && <Problem title="It was not renamed." error={rename.error} />}
    </form>
  );
}
