import type { Project } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { ClipboardList, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { AskAdmins } from "../components/askAdmins";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button } from "../ui/button";
import { Empty } from "../ui/empty";
import { Note } from "../ui/note";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Table } from "../ui/table";
import { DeleteSecret } from "./deleteSecret";
import { PasteSecrets } from "./pasteSecrets";
import { SecretRow } from "./secretRow";
import { SetSecret } from "./setSecret";

type Open =
  /** `key`: the secret to change; `text`: the pasted lines. */
  { what: "set"; key?: string } | { what: "paste"; text: string } | { what: "delete"; key: string };

/** The secrets of a project: names and times for all members, values for admins. */
export function Secrets({ project }: { project: Project }) {
  const { id: organizationId, role } = useOrganization();
  const of = { organizationId, projectId: project.id };
  const list = useQuery(queries.project.listSecrets.queryOptions(of));
  const [open, setOpen] = useState<Open>();
  const mayChange = role !== "member";
  const onClose = () => setOpen(undefined);
  const set = () => setOpen({ what: "set" });
  useShortcuts({
    title: "Secrets",
    scope: "page",
    shortcuts: mayChange ? [{ keys: "n", title: "Set a secret", run: set }] : [],
  });
  const names = list.data?.map(({ key }) => key) ?? [];
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" onClick={set}>
        <Plus aria-hidden="true" className="size-4" />
        Set a secret
      </Button>
      <Button onClick={() => setOpen({ what: "paste", text: "" })}>
        <ClipboardList aria-hidden="true" className="size-4" />
        Paste many
      </Button>
    </div>
  );
  return (
    <div className="flex flex-col gap-4">
      <Note>
        <p>
          Every agent started in a workspace of this project gets these as environment variables. Everyone who
          may start agents can therefore read them.
        </p>
        {!mayChange && (
          <p>
            Only admins and owners can set, reveal and delete them. <AskAdmins />
          </p>
        )}
      </Note>
      {list.error && (
        <Problem
          title="Could not load the current secrets."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton />}
      {list.data?.length === 0 && (
        <Empty icon={KeyRound} title="No secret yet" action={mayChange && actions}>
          Tokens and passwords that agents need, such as for a test database.
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <>
          {mayChange && actions}
          <Table label="Secrets" columns={["Name", "Set", "Changed", ...(mayChange ? ["Actions"] : [])]}>
            {list.data.map((secret) => (
              <SecretRow
                key={secret.key}
                secret={secret}
                projectId={project.id}
                mayChange={mayChange}
                onSet={() => setOpen({ what: "set", key: secret.key })}
                onDelete={() => setOpen({ what: "delete", key: secret.key })}
              />
            ))}
          </Table>
          {mayChange && (
            <p className="text-muted text-sm">
              Revealing a value is logged under your name, as is every change.
            </p>
          )}
        </>
      )}
      {open?.what === "set" && (
        <SetSecret
          {...of}
          name={open.key}
          onMany={(text) => setOpen({ what: "paste", text })}
          onClose={onClose}
        />
      )}
      {open?.what === "paste" && <PasteSecrets {...of} names={names} text={open.text} onClose={onClose} />}
      {open?.what === "delete" && <DeleteSecret {...of} name={open.key} onClose={onClose} />}
    </div>
  );
}
