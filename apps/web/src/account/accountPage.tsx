import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ConnectionNote } from "../components/connectionNote";
import { StandalonePage } from "../components/standalonePage";
import { authQuery, queries, queryClient } from "../lib/api";
import { setTheme, themes, useTheme } from "../lib/theme";
import { SingleKeysSetting } from "../shortcuts/singleKeysSetting";
import { Button } from "../ui/button";
import { Choices } from "../ui/choices";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { Note } from "../ui/note";
import { fieldError, Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { DeleteAccount } from "./deleteAccount";
import { ResendVerification } from "./resendVerification";
import { Sessions } from "./sessions";
import { SignInMethods } from "./signInMethods";

const route = getRouteApi("/signed-in/account");

export function AccountPage() {
  const { user } = route.useRouteContext();
  const { session, mail, local } = useSuspenseQuery(authQuery).data;
  const theme = useTheme();
  const { email, name, emailVerified } = session?.user ?? user;
  return (
    <StandalonePage title="Your account" wide>
      <ConnectionNote />
      {mail && !emailVerified && (
        <div className="mb-6">
          <Note look="warn" title="Your address is not verified.">
            <p>You cannot accept some invitations until you open the link in the verification mail.</p>
            <ResendVerification />
          </Note>
        </div>
      )}
      <NameForm name={name} email={email} />
      <Section title="This browser">
        <Choices legend="Theme" name="theme" defaultValue={theme} options={themes} onChange={setTheme} />
        <div className="mt-5">
          <SingleKeysSetting />
        </div>
      </Section>
      <SignInMethods isLocal={local} />
      <Sessions />
      <DeleteAccount name={name} isLocal={local} />
    </StandalonePage>
  );
}

function NameForm({ name, email }: { name: string; email: string }) {
  const update = useMutation(
    queries.user.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(authQuery);
        await queryClient.invalidateQueries(queries.organization.listMembers.pathFilter());
      },
    }),
  );
  const wrong = fieldError(update.error, "name");
  return (
    <Form onSubmit={(text) => update.mutate({ name: text("name") })}>
      <Field
        label="Name"
        hint="Visible to the members of your organizations."
        name="name"
        defaultValue={name}
        maxLength={200}
        autoComplete="name"
        required
        error={wrong}
      />
      <Field label="Email" defaultValue={email} readOnly />
      {update.error && wrong === undefined && (
        <Problem title="Could not change your name." error={update.error} />
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" busy={update.isPending}>
          Save
        </Button>
        <p role="status" className="text-muted">
          {update.isSuccess && "Saved"}
        </p>
      </div>
    </Form>
  );
}
