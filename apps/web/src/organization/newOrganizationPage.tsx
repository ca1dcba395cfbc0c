import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";

/** Creates an organization, which the user then owns. */
export function NewOrganizationPage() {
  const navigate = useNavigate();
  const create = useMutation(
    queries.organization.create.mutationOptions({
      onSuccess: async ({ slug }) => {
        await refetchOrganizations();
        await navigate({ to: "/o/$organization", params: { organization: slug } });
      },
    }),
  );
  return (
    <StandalonePage title="New organization">
      <p className="mb-5 text-muted">
        Devices, projects, tasks and members belong to one organization. Organizations share nothing.
      </p>
      <Form onSubmit={(text) => create.mutate({ name: text("name") })} error={create.error} fields={["name"]}>
        <Field label="Name" name="name" maxLength={200} autoComplete="organization" required autoFocus />
        <FormProblem title="Could not create the organization." />
        <Button type="submit" look="primary" busy={create.isPending}>
          Create organization
        </Button>
      </Form>
    </StandalonePage>
  );
}
