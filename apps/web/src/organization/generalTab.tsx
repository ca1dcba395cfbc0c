import { useMutation } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { Section } from "../ui/section";
import { DeleteOrganizationDialog } from "./deleteOrganizationDialog";
import { whyNotAdmin, whyNotOwner } from "./permissions";

/** The organization's name and slug, and its deletion. */
export function GeneralTab() {
  const organization = useOrganization();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className="max-w-xl pt-6">
      <NameForm key={organization.id} />
      <Section title="Delete organization">
        <p className="mb-3 text-muted">
          This also deletes its projects, tasks, devices, keys and history. Files on machines are kept.
        </p>
        <Button reason={whyNotOwner(organization)} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </Section>
      {isDeleting && <DeleteOrganizationDialog onClose={() => setDeleting(false)} />}
    </div>
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
  return (
    <Form
      error={update.error}
      fields={["name", "slug"]}
      onSubmit={(text) => update.mutate({ organizationId, name: text("name"), slug: text("slug") })}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={name}
        maxLength={200}
        autoComplete="off"
        readOnly={reason !== undefined}
        required
      />
      <Field
        label="Short name"
        hint={`Used in URLs: /o/${slug}. If you change it, old URLs stop working.`}
        name="slug"
        defaultValue={slug}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        readOnly={reason !== undefined}
        required
      />
      <FormProblem title="Could not save the changes." />
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
