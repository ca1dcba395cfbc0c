import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent, ReactNode } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { authQuery, queries } from "../lib/api";
import { installLine } from "../lib/installCommand";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { CopyLine } from "../ui/copy";
import { Field } from "../ui/field";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { ConnectionSteps } from "./connectionSteps";

const Option = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-3 border-line border-t py-6">
    <h2 className="font-semibold text-base">{title}</h2>
    {children}
  </section>
);

/** Explains how to add a machine: with a pairing code, or with a command that contains a token. */
export function AddDevicePage() {
  const navigate = useNavigate();
  const { data: options } = useSuspenseQuery(authQuery);
  const openPairing = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    void navigate({ to: "/device", search: { code } });
  };
  return (
    <Page title="Add a device">
      <div className="max-w-2xl">
        <p className="pb-6 text-muted">
          The machine runs Linux or macOS, with git and Node 20.19 or newer with npm. It only connects
          outward, so it needs no open port. The agent is installed for one user, without sudo, into{" "}
          <code className="font-mono text-sm">~/.local</code>, and starts with that user's session.
        </p>
        {options.local && (
          <div className="pb-6">
            <Note title="This Grove serves only this machine">
              <p>
                It runs in local mode at {location.host}, which other machines cannot reach. To add more
                machines, run the API as a server.
              </p>
            </Note>
          </div>
        )}
        <Option title="With a code">
          <p>
            Run this on the machine. It installs the agent from this server, shows a code and a link to
            approve it, and starts the agent.
          </p>
          <CopyLine text={installLine()} label="Copy the command that installs the agent and shows a code" />
          <form onSubmit={openPairing} className="flex items-end gap-2">
            <Field
              label="Code"
              name="code"
              placeholder="BCDF-GHJK"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              required
            />
            <Button type="submit">Continue</Button>
          </form>
        </Option>
        <TokenOption />
      </div>
    </Page>
  );
}

function TokenOption() {
  const organization = useOrganization();
  const create = useMutation(queries.device.createRegistration.mutationOptions());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const shared = new FormData(event.currentTarget).has("shared");
    create.mutate({ organizationId: organization.id, shared });
  };
  if (create.data)
    return (
      <Option title="With a token">
        <p>
          Run this on the machine. It installs the agent from this server, makes the machine your device, and
          starts the agent with your session there. The command works once, within an hour.
        </p>
        <CopyLine text={installLine(create.data.token)} label="Copy the command" />
        <ConnectionSteps organization={organization} deviceId={create.data.deviceId} />
      </Option>
    );
  return (
    <Option title="With a token">
      <p>For an unattended machine. The command contains a token for one machine.</p>
      {create.error && <Problem title="Could not create the command." error={create.error} />}
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <Checkbox name="shared" label="Share the device">
          Every member may run agents on it, as the user who starts the agent there.
        </Checkbox>
        <Button type="submit" busy={create.isPending}>
          Create the command
        </Button>
      </form>
    </Option>
  );
}
