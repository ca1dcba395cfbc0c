import type { IntegrationProvider } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { providerNames } from "../../components/providerNames";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { FormDialog } from "../../ui/formDialog";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";
import { accessFields } from "./accessFields";

const options = Object.entries(providerNames).map(([value, title]) => ({ value, title }));
const isProvider = (value: string): value is IntegrationProvider => Object.hasOwn(providerNames, value);

interface ConnectDialogProps {
  /** The provider that is selected first. */
  provider: IntegrationProvider;
  onClose: () => void;
}

/** Connects an account by a token, or on the provider's own page. */
export function ConnectDialog({ provider: firstProvider, onClose }: ConnectDialogProps) {
  const { id: organizationId } = useOrganization();
  const [provider, setProvider] = useState(firstProvider);
  const connect = useMutationWithRefetch(queries.integration.connect.mutationOptions({ gcTime: 0 }), {
    refetch: [queries.integration.pathFilter()],
    onDone: onClose,
  });
  const authorize = useMutation(
    queries.integration.authorizeUrl.mutationOptions({ onSuccess: ({ url }) => location.assign(url) }),
  );
  const name = providerNames[provider];
  const { token, address, needsEmail, hasAuthorization } = accessFields[provider];
  return (
    <FormDialog
      title="Connect an account"
      action="Connect"
      change={connect}
      failed="Could not connect the account."
      fields={["token", "email", "baseUrl"]}
      onSubmit={(text) =>
        connect.mutate({
          organizationId,
          provider,
          token: text("token"),
          ...(text("email") !== "" && { email: text("email") }),
          ...(text("baseUrl") !== "" && { baseUrl: text("baseUrl") }),
        })
      }
      onClose={onClose}
    >
      <Select
        label="Provider"
        value={provider}
        options={options}
        onChange={(value) => isProvider(value) && setProvider(value)}
      />
      {hasAuthorization && (
        <div className="flex flex-col items-start gap-2">
          <Button
            busy={authorize.isPending}
            onClick={() => authorize.mutate({ organizationId, provider })}
          >{`Continue on ${name}`}</Button>
          {authorize.error && (
            <Problem title={`${name} can be connected only by a token.`} error={authorize.error} />
          )}
          <p className="text-muted text-sm">Or use a token:</p>
        </div>
      )}
      <Field
        key={provider}
        label="Token"
        hint={token}
        name="token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
      />
      {needsEmail && <Field label="Email of the token's owner" name="email" type="email" required />}
      {address && (
        <Field
          label={address.label}
          hint={address.hint}
          name="baseUrl"
          type="url"
          placeholder={address.isRequired ? undefined : "https://git.example.com"}
          required={address.isRequired}
        />
      )}
    </FormDialog>
  );
}
