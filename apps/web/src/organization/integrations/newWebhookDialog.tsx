import { type Connection, codehostWebhookEvents } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { providerNames } from "../../components/providerNames";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Combobox } from "../../ui/combobox";
import { FormDialog } from "../../ui/formDialog";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";

/** Code hosts limit the rate of requests, so repositories are loaded when the dialog opens and not on every focus. */
const repositoriesOptions = { staleTime: 60_000, retry: false };

const MAX_SUGGESTIONS = 50;

interface NewWebhookDialogProps {
  codeHosts: readonly Connection[];
  onClose: () => void;
}

/** Creates a webhook for a repository at a connected code host. */
export function NewWebhookDialog({ codeHosts, onClose }: NewWebhookDialogProps) {
  const { id: organizationId } = useOrganization();
  const [connectionId, setConnectionId] = useState(codeHosts[0]?.id ?? "");
  const repositories = useQuery(
    queries.integration.codehost.listRepos.queryOptions(
      { organizationId, connectionId },
      repositoriesOptions,
    ),
  );
  const create = useMutationWithRefetch(queries.integration.codehost.createWebhook.mutationOptions(), {
    refetch: [queries.integration.codehost.listWebhooks.pathFilter()],
    onDone: onClose,
  });
  const [repository, setRepository] = useState("");
  const provider = codeHosts.find(({ id }) => id === connectionId)?.provider;
  const matches = (repositories.data ?? []).filter(({ fullName }) =>
    fullName.toLowerCase().includes(repository.toLowerCase()),
  );
  const found = repositories.data?.find(({ fullName }) => fullName === repository);
  return (
    <FormDialog
      title="New webhook"
      action="Create webhook"
      change={create}
      failed="Could not create the webhook."
      reason={repository !== "" && !found ? "Choose one of the account's repositories." : undefined}
      disabled={!found}
      onSubmit={() =>
        found &&
        create.mutate({
          organizationId,
          connectionId,
          repoOwner: found.owner,
          repoName: found.name,
          events: codehostWebhookEvents[provider === "gitlab" ? "gitlab" : "github"],
        })
      }
      onClose={onClose}
    >
      {codeHosts.length > 1 && (
        <Select
          label="Account"
          value={connectionId}
          onChange={setConnectionId}
          options={codeHosts.map(({ id, provider, accountName }) => ({
            value: id,
            title: `${providerNames[provider]}: ${accountName}`,
          }))}
        />
      )}
      {repositories.error && (
        <Problem
          title="Could not load the repositories."
          error={repositories.error}
          onRetry={() => void repositories.refetch()}
        />
      )}
      <Combobox
        label="Repository"
        hint="It reports pull requests, reviews and checks to Grove. A merge completes the tasks that its pull request names."
        name="repository"
        value={repository}
        onChange={setRepository}
        placeholder={repositories.isPending ? "Loading the repositories…" : undefined}
        suggestions={matches.slice(0, MAX_SUGGESTIONS).map(({ fullName }) => ({ value: fullName }))}
        required
      />
    </FormDialog>
  );
}
