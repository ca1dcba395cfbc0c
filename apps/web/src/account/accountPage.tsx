import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ConnectionNote } from "../components/connectionNote";
import { StandalonePage } from "../components/standalonePage";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { authQuery, queries } from "../lib/api";
import { setTheme, themes, useTheme } from "../lib/browser/theme";
import { SingleKeysSetting } from "../shortcuts/singleKeysSetting";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { RadioGroup } from "../ui/radioGroup";
import { Section } from "../ui/section";
import { DeleteAccountSection } from "./deleteAccountSection";
import { ResendVerification } from "./resendVerification";
import { SessionsSection } from "./sessionsSection";
import { SignInMethodsSection } from "./signInMethodsSection";

const TITLE = "Your account";

const route = getRouteApi("/signed-in");

/** The account in the frame of the organization's pages. */
export const AccountPage = () => (
  <Page title={TITLE}>
    <div className="max-w-xl">
      <Account />
    </div>
  </Page>
);

/** The account of a user without organizations. */
export const StandaloneAccountPage = () => (
  <StandalonePage title={TITLE} wide>
    <Account />
  </StandalonePage>
);

function Account() {
  const { user } = route.useRouteContext();
  const { session, mail, local } = useSuspenseQuery(authQuery).data;
  const theme = useTheme();
  const { email, name, emailVerified } = session?.user ?? user;
  return (
    <>
      <ConnectionNote />
      {mail && !emailVerified && (
        <div className="mb-6">
          <Note look="warn" title="Your email address is not verified.">
            <p>You cannot accept some invitations until you open the link in the verification email.</p>
            <ResendVerification />
          </Note>
        </div>
      )}
      <NameForm name={name} email={email} />
      <Section title="Preferences in this browser">
        <RadioGroup legend="Theme" name="theme" defaultValue={theme} options={themes} onChange={setTheme} />
        <div className="mt-5">
          <SingleKeysSetting />
        </div>
      </Section>
      <SignInMethodsSection isLocal={local} />
      <SessionsSection />
      <DeleteAccountSection name={name} isLocal={local} />
    </>
  );
}

function NameForm({ name, email }: { name: string; email: string }) {
  const update = useMutationWithRefetch(queries.user.update.mutationOptions(), {
    refetch: [authQuery, queries.organization.listMembers.pathFilter()],
  });
  return (
    <Form onSubmit={(text) => update.mutate({ name: text("name") })} error={update.error} fields={["name"]}>
      <Field
        label="Name"
        hint="Visible to the members of your organizations."
        name="name"
        defaultValue={name}
        maxLength={200}
        autoComplete="name"
        required
      />
      <Field label="Email" defaultValue={email} readOnly />
      <FormProblem title="Could not change your name." />
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
