import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { queries } from "../lib/api";
import { chooseOrganization } from "../lib/browser/lastOrganization";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { DescriptionList } from "../ui/descriptionList";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { Time } from "../ui/time";
import { platforms } from "./commands/commandLabels";
import { ConnectionSteps } from "./connectionSteps";

const route = getRouteApi("/signed-in/device");

/** Approves a machine by its pairing code. */
export function PairingPage() {
  const { code } = route.useSearch();
  return code === undefined ? <CodePage /> : <ApprovalPage key={code} code={code} />;
}

function CodePage() {
  const navigate = useNavigate();
  return (
    <StandalonePage title="Connect a machine">
      <Form onSubmit={(text) => void navigate({ to: "/device", search: { code: text("code") } })}>
        <Field
          label="Code"
          hint="The machine shows the code after the agent is installed."
          name="code"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
        />
        <Button type="submit" look="primary">
          Continue
        </Button>
      </Form>
    </StandalonePage>
  );
}

function ApprovalPage({ code }: { code: string }) {
  const { data: organizations } = useSuspenseQuery(queries.organization.list.queryOptions());
  const pairing = useQuery(
    queries.device.getPairing.queryOptions({ code }, { staleTime: Number.POSITIVE_INFINITY, retry: false }),
  );
  const [organizationId, setOrganizationId] = useState(chooseOrganization(organizations)?.id ?? "");
  const organization = organizations.find(({ id }) => id === organizationId);
  const approve = useMutation(queries.device.approvePairing.mutationOptions());
  if (approve.data && organization)
    return (
      <StandalonePage title="Approved">
        <ConnectionSteps organization={organization} deviceId={approve.data.deviceId} />
      </StandalonePage>
    );
  if (pairing.error)
    return (
      <StandalonePage title="No machine is waiting with this code">
        <Problem title="Could not find the machine." error={pairing.error} />
        <p className="mt-5">
          <AnotherCode />
        </p>
      </StandalonePage>
    );
  if (!pairing.data) return <StandalonePage title="Connect a machine">{null}</StandalonePage>;
  const { name, platform, agentVersion, ip, requestedAt } = pairing.data;
  return (
    <StandalonePage title="Connect this machine?">
      <p className="mb-4">
        Approve it only if you are at this machine now and it shows this code. If someone sent you the link to
        this page, close the page: their machine would act as you.
      </p>
      <p className="mb-5 rounded-lg border border-line bg-surface py-4 text-center font-mono text-xl tracking-widest">
        {code.toUpperCase()}
      </p>
      <DescriptionList
        facts={[
          ["System", platforms[platform]],
          ["Address", ip ?? "unknown"],
          ["grove-device", agentVersion ?? "unknown"],
          ["Requested", <Time key="requested" at={requestedAt} />],
        ]}
      />
      <Form
        className="mt-5 flex flex-col gap-4"
        error={approve.error}
        onSubmit={(text) =>
          approve.mutate({ organizationId, code, name: text("name"), shared: text("shared") !== "" })
        }
      >
        <Field label="Name" name="name" defaultValue={name} required maxLength={200} autoComplete="off" />
        <Select
          label="Organization"
          value={organizationId}
          onChange={setOrganizationId}
          options={organizations.map(({ id, name: title }) => ({ value: id, title }))}
        />
        <Checkbox name="shared" label="Share the device">
          Every member can run agents on it, with the rights of the user who runs the device agent.
        </Checkbox>
        <FormProblem title="Could not approve the machine.">
          <AnotherCode />
        </FormProblem>
        <Button type="submit" look="primary" busy={approve.isPending}>
          Approve
        </Button>
      </Form>
    </StandalonePage>
  );
}

const AnotherCode = () => (
  <Link to="/device" className="text-accent underline">
    Enter another code
  </Link>
);
