import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { authQuery, queries } from "../lib/api";
import { installCommand } from "../lib/installCommand";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { CopyLine } from "../ui/copyButton";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
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
  const { local } = useSuspenseQuery(authQuery).data;
  return (
    <Page title="Add a device">
      <div className="max-w-2xl">{local ? <LocalModeNote /> : <Options />}</div>
    </Page>
  );
}

/** In local mode, a command to install would add this machine a second time. */
function LocalModeNote() {
  const { slug: organization } = useOrganization();
  return (
    <Note title="This Grove serves only this machine">
      <p>
        It runs in local mode at {location.host}, which other machines cannot reach. To add more machines, run
        the API as a server.
      </p>
      <Link to="/o/$organization/devices" params={{ organization }} className="text-accent hover:underline">
        Show the devices
      </Link>
    </Note>
  );
}

function Options() {
  const navigate = useNavigate();
  return (
    <>
      <p className="pb-6 text-muted">
        The machine runs Linux or macOS, with git and Node 20.19 or newer with npm. It only makes outbound
        connections, so it needs no open port. The program grove-device is installed for one user, without
        sudo, into <code className="font-mono text-sm">~/.local</code>, and starts when that user logs in.
      </p>
      <Option title="With a code">
        <p>
          Run this on the machine. It installs grove-device from this server, shows a code and a link to
          approve it, and starts grove-device.
        </p>
        <CopyLine
          text={installCommand()}
          label="Copy the command that installs grove-device and shows a code"
        />
        <Form
          className="flex items-end gap-2"
          onSubmit={(text) => void navigate({ to: "/device", search: { code: text("code") } })}
        >
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
        </Form>
      </Option>
      <TokenOption />
    </>
  );
}

function TokenOption() {
  const organization = useOrganization();
  const create = useMutation(queries.device.createRegistration.mutationOptions());
  if (create.data)
    return (
      <Option title="With a token">
        <p>
          Run this on the machine. It installs grove-device from this server, registers the machine as your
          device, and starts grove-device whenever you log in there. The command works once, within an hour.
        </p>
        <CopyLine text={installCommand(create.data.token)} label="Copy the command" />
        <ConnectionSteps organization={organization} deviceId={create.data.deviceId} />
      </Option>
    );
  return (
    <Option title="With a token">
      <p>For an unattended machine. The command contains a token for one machine.</p>
      {create.error && <Problem title="Could not create the command." error={create.error} />}
      <Form
        className="flex flex-col items-start gap-4"
        onSubmit={(text) => create.mutate({ organizationId: organization.id, shared: text("shared") !== "" })}
      >
        <Checkbox name="shared" label="Share the device">
          Every member can run agents on it, as the user who starts grove-device there.
        </Checkbox>
        <Button type="submit" busy={create.isPending}>
          Create command
        </Button>
      </Form>
    </Option>
  );
}
