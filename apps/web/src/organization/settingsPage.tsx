import { useMutation } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ConnectionNote } from "../components/connectionNote";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/organizations";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { Page } from "../ui/page";
import { fieldError, Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { DeleteOrganizationDialog } from "./deleteOrganizationDialog";
import { whyNotAdmin, whyNotOwner } from "./permissions";

/** The organization's name and slug, and its deletion. */
export function SettingsPage() {
  const organization = useOrganization();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page title="Organization settings">
      <div className="max-w-xl">
        <ConnectionNote />
        <NameForm key={organization.id} />
        <Section title="Delete the organization">
          <p className="mb-3 text-muted">
            This also deletes its projects, tasks, devices, keys and history. Files on machines stay.
          </p>
          <Button reason={whyNotOwner(organization)} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </Section>
      </div>
      {isDeleting && <DeleteOrganizationDialog onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function NameForm() {
  const organization = useOrganization();
  const { id: organizationId, name, slug } = organization;
  const navigate = useNavigate();
  const router = useRouter();
  const update = useMutation(
    queries.organization.update.mutationOptions({
      onSuccess: async (changed) => {
        await refetchOrganizations();
        if (changed.slug === slug) await router.invalidate();
        else
          await navigate({
            to: "/o/$organization/settings",
            params: { organization: changed.slug },
            replace: true,
          });
      },
    }),
  );
  const reason = whyNotAdmin(organization);
  const of = (field: string) => fieldError(update.error, field);
  const isAboutField = of("name") !== undefined || of("slug") !== undefined;
  return (
    <Form onSubmit={(text) => update.mutate({ organizationId, name: text("name"), slug: text("slug") })}>
      <Field
        label="Name"
        name="name"
        defaultValue={name}
        maxLength={200}
        autoComplete="off"
        readOnly={reason !== undefined}
        required
        error={of("name")}
      />
      <Field
        label="Short name"
        hint={`Part of the URLs of its pages: /o/${slug}. Old URLs stop working.`}
        name="slug"
        defaultValue={slug}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        readOnly={reason !== undefined}
        required
        error={of("slug")}
      />
      {update.error && !isAboutField && <Problem title="Could not save the changes." error={update.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" busy={update.isPending} reason={reason}>
          Save
        </Button>
        <p role="status" className="text-muted">
          {update.isSuccess ? "Saved" : reason}
        </p>
      </div>
    </Form>
  );
}
