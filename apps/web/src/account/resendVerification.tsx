import { useMutation } from "@tanstack/react-query";
import { auth } from "../lib/api";
import { Button } from "../ui/button";
import { errorMessage } from "../ui/problem";

export function ResendVerification() {
  const mail = useMutation({ mutationFn: auth.resendVerification });
  if (mail.data) return <p role="status">The link was sent. Open it in a browser where you are signed in.</p>;
  return (
    <>
      <Button busy={mail.isPending} onClick={() => mail.mutate()}>
        Email me the link
      </Button>
      {mail.error && (
        <p role="alert" className="text-danger">
          {errorMessage(mail.error)}
        </p>
      )}
    </>
  );
}
