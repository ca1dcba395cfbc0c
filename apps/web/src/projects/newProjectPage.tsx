import { errorData } from "@grove/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { CopyLine } from "../ui/copy";
import { Field } from "../ui/field";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { fieldError, Problem } from "../ui/problem";
import { parseRepositoryUrl, slugOf } from "./repositoryUrl";

/** Adds a project by the URL of its repository. */
export function NewProjectPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const [address, setAddress] = useState("");
  const [branch, setBranch] = useState("main");
  // Derived from the URL until the user edits it.
  const [given, setGiven] = useState<{ name?: string; slug?: string }>({});
  const [asked, setAsked] = useState(false);
  const repository = parseRepositoryUrl(address);
  const name = given.name ?? repository?.repoName ?? "";
  const slug = given.slug ?? slugOf(name);
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const existing = projects.data?.find(({ repoUrl }) => repoUrl === repository?.repoUrl);
  const create = useMutation(
    queries.project.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries(queries.project.list.pathFilter());
        await navigate({
          to: "/o/$organization/workspaces/new",
          params: { organization },
          search: { project: id },
        });
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!repository) return;
    create.mutate({ organizationId, ...repository, name, slug, defaultBranch: branch });
  };
  const isTaken = errorData(create.error)?.reason === "slug_taken";
  const slugError = isTaken ? "Another project has this short name." : fieldError(create.error, "slug");
  const addressError = asked && !repository ? NOT_AN_ADDRESS : fieldError(create.error, "repoUrl");
  const isAboutField =
    slugError !== undefined ||
    ["name", "repoUrl", "defaultBranch"].some((field) => fieldError(create.error, field) !== undefined);
  return (
    <Page title="Add a project">
      <form onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        <Field
          label="Address of the repository"
          hint="https, ssh or user@host:path. Each machine clones it with its own git credentials."
          placeholder="https://github.com/acme/app"
          name="address"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onBlur={() => setAsked(address !== "")}
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
          error={addressError}
        />
        {existing && (
          <Note look="warn" title={`${existing.name} already uses this repository.`}>
            <Link
              to="/o/$organization/workspaces/new"
              params={{ organization }}
              search={{ project: existing.id }}
              className="text-accent underline"
            >
              Create a workspace in it
            </Link>
          </Note>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Name"
            value={name}
            onChange={(event) => setGiven({ ...given, name: event.target.value })}
            maxLength={200}
            required
            error={fieldError(create.error, "name")}
          />
          <Field
            label="Short name in URLs"
            value={slug}
            onChange={(event) => setGiven({ ...given, slug: event.target.value })}
            maxLength={80}
            spellCheck={false}
            required
            error={slugError}
          />
        </div>
        <Field
          label="Default branch"
          hint="New workspaces start from it."
          value={branch}
          onChange={(event) => setBranch(event.target.value)}
          maxLength={200}
          spellCheck={false}
          required
          error={fieldError(create.error, "defaultBranch")}
        />
        {create.error && !isAboutField && <Problem title="Could not add the project." error={create.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" busy={create.isPending}>
            Add the project
          </Button>
          <Link to="/o/$organization/projects" params={{ organization }} className={buttonClass("quiet")}>
            Cancel
          </Link>
        </div>
      </form>
      <section className="mt-10 max-w-xl border-line border-t pt-5">
        <h2 className="font-semibold">Is the code on a machine already?</h2>
        <p className="mt-1 mb-3 text-muted">
          Add it from there. Grove then uses that clone, and needs no URL. Run this on the machine:
        </p>
        <CopyLine text="grove-device project add ~/code/app" label="Copy the command" />
      </section>
    </Page>
  );
}

const NOT_AN_ADDRESS = "Git cannot clone from this address. Example: https://github.com/acme/app";
