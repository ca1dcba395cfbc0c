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
import { Arrival } from "./arrival";

const Way = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-3 border-line border-t py-6">
    <h2 className="font-semibold text-base">{title}</h2>
    {children}
  </section>
);

/** Two ways to make a machine a device: by a code that it shows, or by one line that holds a token. */
export function AddDevicePage() {
  const navigate = useNavigate();
  const { data: options } = useSuspenseQuery(authQuery);
  const toPairing = (event: FormEvent<HTMLFormElement>) => {
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
            <Note title="This Grove is for this machine alone">
              <p>
                It runs in local mode, at {location.host}, where no other machine can reach it. To bring in
                more machines, run the API as a server.
              </p>
            </Note>
          </div>
        )}
        <Way title="By a code">
          <p>
            Run this on the machine. It installs the agent from this server, shows a code and a link to
            approve it, and starts the agent.
          </p>
          <CopyLine text={installLine()} label="Copy the line that installs the agent and shows a code" />
          <form onSubmit={toPairing} className="flex items-end gap-2">
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
        </Way>
        <RegistrationWay />
      </div>
    </Page>
  );
}

function RegistrationWay() {
  const organization = useOrganization();
  const create = useMutation(queries.device.createRegistration.mutationOptions());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const shared = new FormData(event.currentTarget).has("shared");
    create.mutate({ organizationId: organization.id, shared });
  };
  if (create.data)
    return (
      <Way title="By one line">
        <p>
          Run this on the machine. It installs the agent from this server, makes the machine your device, and
          starts the agent with your session there. It works once, within an hour.
        </p>
        <CopyLine text={installLine(create.data.token)} label="Copy the line" />
        <Arrival organization={organization} deviceId={create.data.deviceId} />
      </Way>
    );
  return (
    <Way title="By one line">
      <p>For a machine without a person in front of it. The line holds a token for one machine.</p>
      {create.error && <Problem title="No line was made." error={create.error} />}
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <Checkbox name="shared" label="Share it">
          Every member may run agents on it, as the user who starts the agent there.
        </Checkbox>
        <Button type="submit" busy={create.isPending}>
          Make the line
        </Button>
      </form>
    </Way>
  );
}
