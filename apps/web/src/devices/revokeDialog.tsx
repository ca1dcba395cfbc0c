import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { queries } from "../app/api";
import { useOrganization } from "../app/useOrganization";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { type DeviceDialogProps, readDevicesAgain } from "./change";

/** Ends a device for good, after its name was typed. */
export function RevokeDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, name } = device;
  const { slug } = useOrganization();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const agents = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, deviceId: id, status: "running" }),
  );
  const revoke = useMutation(
    queries.device.revoke.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: "/o/$organization/devices", params: { organization: slug } });
        await readDevicesAgain();
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed === name) revoke.mutate({ organizationId, id });
  };
  const running = agents.data?.length ?? 0;
  return (
    <Dialog title="Revoke the device?" open onOpenChange={onClose}>
      <p>
        Its key ends, and its open commands end as lost.{" "}
        {running > 0 && `${running === 1 ? "One agent runs" : `${running} agents run`} on it now. `}
        The files on the machine stay as they are. To use the machine again, register it again.
      </p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        {revoke.error && <Problem title="It was not revoked." error={revoke.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={typed !== name} busy={revoke.isPending}>
            Revoke
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
