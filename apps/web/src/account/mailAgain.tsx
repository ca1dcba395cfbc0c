import { useMutation } from "@tanstack/react-query";
import { auth } from "../lib/api";
import { Button } from "../ui/button";
import { errorMessage } from "../ui/problem";

/** Mails the link that verifies the person's address. */
export function MailAgain() {
  const mail = useMutation({ mutationFn: auth.resendVerification });
  if (mail.data) return <p role="status">The link is on its way. Open it where you are signed in.</p>;
  return (
    <>
      <Button busy={mail.isPending} onClick={() => mail.mutate()}>
        Mail me the link
      </Button>
      {mail.error && (
        <p role="alert" className="text-danger">
          {errorMessage(mail.error)}
        </p>
      )}
    </>
  );
}
