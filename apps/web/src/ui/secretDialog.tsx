import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Dialog, DialogButtons } from "./dialog";

interface SecretDialogProps {
  title: string;
  /** The name of the secret, such as "key". */
  secret: string;
  onClose: () => void;
  /** Receives the function to call once the secret is copied. */
  children: (onCopied: () => void) => ReactNode;
}

/** A dialog with a secret that is shown only once. Before it is copied, Escape asks instead of closing. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const onCopied = () => setCopied(true);
  const onEscape = () => (isCopied ? onClose() : setAsking(!isAsking));
  return (
    <Dialog title={title} open onOpenChange={onEscape} keepOpen>
      {/* Copying a selection counts, too. */}
      <div className="flex flex-col gap-4" onCopy={onCopied}>
        {children(onCopied)}
      </div>
      {isAsking ? (
        <>
          <p role="alert" className="text-warn">
            Close without copying the {secret}? It cannot be shown again.
          </p>
          <DialogButtons>
            <Button onClick={onClose}>Close without copying</Button>
            <Button look="primary" autoFocus onClick={() => setAsking(false)}>
              Keep open
            </Button>
          </DialogButtons>
        </>
      ) : (
        <DialogButtons>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      )}
    </Dialog>
  );
}
