import { type ReactNode, useState } from "react";
import { hasUnsavedForms } from "../lib/unsavedForms";
import { Button } from "../ui/button";

/** Loads the page again. If a form has a text that would be lost, it asks first. */
export function ReloadButton({ children }: { children: ReactNode }) {
  const [asks, setAsks] = useState(false);
  const press = () => {
    if (asks || !hasUnsavedForms()) location.reload();
    else setAsks(true);
  };
  return (
    <>
      {asks && <p role="alert">The text that you have typed on this page would be lost.</p>}
      <Button look={asks ? "danger" : "plain"} onClick={press}>
        {asks ? "Reload all the same" : children}
      </Button>
    </>
  );
}
