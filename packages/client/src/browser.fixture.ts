import { createClient } from "./index";

/**
 * The page that browser.test.ts bundles and opens. It behaves as a frontend, and reports to the test by requests to the
 * server that served it.
 */
declare const settings: { apiUrl: string; email: string; password: string; organizationId: string };
declare const document: { cookie: string };

const tell = async (report: object) =>
  void (await fetch("/report", { method: "POST", body: JSON.stringify(report) }));

async function main(): Promise<void> {
  const { apiUrl, email, password, organizationId } = settings;
  const signedIn = await fetch(`${apiUrl}/api/auth/sign-in`, {
    method: "POST",
    credentials: "include",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  await tell({ signedIn: signedIn.status, readableCookie: document.cookie });

  const grove = createClient({ apiUrl });
  const user = await grove.user.get.query();
  const [organizations, tasks] = await Promise.all([
    grove.organization.list.query(),
    grove.task.list.query({ organizationId }),
  ]);
  const task = await grove.task.create.mutate({ organizationId, title: "Made by the page" });
  await tell({
    user: user.email,
    organizations: organizations.map(({ id }) => id),
    tasks: tasks.length,
    made: task.title,
    requests: performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith("/api/trpc/"))
      .map((path) => path.slice("/api/trpc/".length)),
  });

  grove.task.watch.subscribe(
    { organizationId },
    {
      onStarted: () => void tell({ watching: true }),
      onData: ({ data }) => {
        if ("task" in data) void tell({ event: data.type, title: data.task.title });
      },
      onError: (error) => void tell({ error: error.message }),
    },
  );
}

main().catch((error: unknown) => tell({ error: String(error) }));
