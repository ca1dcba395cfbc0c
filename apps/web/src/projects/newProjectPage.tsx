import { Suspense } from "react";
import { lazily } from "../lib/browser/lazily";
import { Page } from "../ui/page";

// Loaded by the page, because the initial load lists the imports of every page.
const NewProject = lazily(async () => (await import("./newProject")).NewProject);

export const NewProjectPage = () => (
  <Page title="Add a project">
    <Suspense>
      <NewProject />
    </Suspense>
  </Page>
);
