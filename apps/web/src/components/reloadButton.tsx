import { type ReactNode, useState } from "react";
import { hasUnsavedForms } from "../lib/browser/unsavedForms";
import { Button } from "../ui/button";

/** Reloads the page. Asks for confirmation if a form has unsaved text. */
export function ReloadButton({ children }: { children: ReactNode }) {
  const [isConfirming, setConfirming] = useState(false);
  const press = () => {
    if (isConfirming || !hasUnsavedForms()) location.reload();
    else setConfirming(true);
  };
  return (
    <>
      {isConfirming && <p role="alert">You have unsaved text on this page. Reloading discards it.</p>}
      <Button look={isConfirming ? "danger" : "plain"} onClick={press}>
        {isConfirming ? "Reload anyway" : children}
      </Button>
    </>
  );
}
