import { errorData } from "@grove/client";
import type { Device, Project } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { Button, buttonClass } from "../ui/button";
import { Form, FormProblem } from "../ui/form";
import { Note } from "../ui/note";
import { errorMessage, fieldError } from "../ui/problem";
import { type EditedFields, namesOf, ProjectFields } from "./projectFields";
import { RepositoryField } from "./repositoryField";
import { isPath, parseRepositoryUrl, pathOf } from "./repositoryUrl";
import type { useAddProject } from "./useAddProject";

interface NewProjectFormProps {
  add: ReturnType<typeof useAddProject>;
  device: Device | undefined;
  projects: readonly Project[] | undefined;
  /** Shown above the field of a path, to choose the machine. */
  children: ReactNode;
}

export function NewProjectForm({ add: { byUrl, byPath }, device, projects, children }: NewProjectFormProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const [text, setText] = useState("");
  const [given, setGiven] = useState<EditedFields>({ branch: "main" });
  const [asked, setAsked] = useState(false);
  const isLocal = isPath(text);
  const repository = isLocal ? undefined : parseRepositoryUrl(text);
  const existing = projects?.find(({ repoUrl }) => repoUrl === repository?.repoUrl);
  const change = (repositoryText: string) => {
    setText(repositoryText);
    byPath.reset();
  };
  const submit = () => {
    setAsked(true);
    if (isLocal && device) byPath.mutate(pathOf(text));
    const { branch: defaultBranch } = given;
    const names = namesOf(given, repository?.repoName);
    if (repository) byUrl.mutate({ organizationId, ...repository, ...names, defaultBranch });
  };
  const isTaken = errorData(byUrl.error)?.reason === "slug_taken";
  const typeError = isLocal ? (device ? undefined : NO_DEVICE) : repository ? undefined : NOT_AN_ADDRESS;
  return (
    <Form
      className="flex max-w-xl flex-col gap-5"
      error={isTaken ? null : byUrl.error}
      fields={["name", "slug", "repoUrl", "defaultBranch"]}
      onSubmit={submit}
    >
      {children}
      <RepositoryField
        device={device}
        value={text}
        onChange={change}
        onBlur={() => setAsked(text !== "")}
        error={
          (asked ? typeError : undefined) ??
          (byPath.error ? errorMessage(byPath.error) : fieldError(byUrl.error, "repoUrl"))
        }
      />
      {existing && <AlreadyAdded project={existing} />}
      {!isLocal && (
        <ProjectFields
          given={given}
          onChange={setGiven}
          repoName={repository?.repoName}
          slugError={isTaken ? "Another project has this short name." : undefined}
        />
      )}
      <FormProblem title="Could not add the project." />
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={byUrl.isPending || byPath.isPending}>
          Add project
        </Button>
        <Link to="/o/$organization/projects" params={{ organization }} className={buttonClass("quiet")}>
          Cancel
        </Link>
      </div>
    </Form>
  );
}

function AlreadyAdded({ project }: { project: Project }) {
  const { slug: organization } = useOrganization();
  return (
    <Note look="warn" title={`${project.name} already uses this repository.`}>
      <Link
        to="/o/$organization/workspaces/new"
        params={{ organization }}
        search={{ project: project.id }}
        className="text-accent underline"
      >
        Create a workspace in it
      </Link>
    </Note>
  );
}

const NOT_AN_ADDRESS = "Git cannot clone from this URL. Example: https://github.com/acme/app";
const NO_DEVICE =
  "None of your machines is online, so a path cannot be added. Start grove-device on one, or enter a URL.";
