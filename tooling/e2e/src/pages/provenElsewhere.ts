/**
 * The commands of pages that these tests do not run, with the reason, and the file that proves each: a proof of
 * `.ci/ship`, a suite, a workflow. A command is known by its page and how it begins.
 */
export const provenElsewhere: { page: string; begins: string[]; because: string; by: string }[] = [
  {
    page: "AGENTS.md",
    begins: ["npm test", "pnpm check", "pnpm format", "cd apps/api && pnpm vitest", ".ci/run"],
    because: "CI itself is these commands",
    by: ".ci/run",
  },
  {
    page: "AGENTS.md",
    begins: ["npm start"],
    because: "installs from npm's registry",
    by: "tooling/deploy/proof/60-pages.sh",
  },
  { page: "README.md", begins: ["npm test"], because: "CI itself is this command", by: ".ci/run" },
  {
    page: "apps/api/README.md",
    begins: ["pnpm --filter @grove/api build"],
    because: "CI builds before it tests",
    by: ".ci/run",
  },
  {
    page: "apps/api/README.md",
    begins: ["sudo"],
    because: "makes a service of the machine",
    by: "tooling/deploy/proof/45-services.sh",
  },
  {
    page: "apps/device/README.md",
    begins: ["curl -fsSL https://grove.example.com/install.sh"],
    because: "installs into the home, and starts a service",
    by: "tooling/e2e/src/install.test.ts",
  },
  {
    page: "apps/device/README.md",
    begins: ["export GROVE_HOME=", "sudo"],
    because: "makes a service of the machine",
    by: "tooling/deploy/proof/45-services.sh",
  },
  {
    page: "apps/device/README.md",
    begins: ["pnpm --filter @grove/device test"],
    because: "CI runs every suite",
    by: ".ci/run",
  },
  {
    page: "apps/grove/README.md",
    begins: ["npm install --global @grove/grove"],
    because: "needs a registry that has it",
    by: "tooling/deploy/proof/10-packages.sh",
  },
  {
    page: "apps/grove/README.md",
    begins: ["grove pr status", "grove review"],
    because: "needs a workspace with changes",
    by: "tooling/e2e/src/journey.test.ts",
  },
  {
    page: "apps/mcp-desktop/README.md",
    begins: ["grove-mcp-desktop doctor"],
    because: "needs an app with a debugging port",
    by: "apps/mcp-desktop/src/main.test.ts",
  },
  {
    page: "packages/client/README.md",
    begins: ["npm install @grove/client"],
    because: "needs a registry that has it",
    by: "tooling/deploy/proof/10-packages.sh",
  },
  {
    page: "tooling/bench/README.md",
    begins: ["pnpm bench"],
    because: "takes minutes of an idle machine",
    by: "tooling/bench/src/main.ts",
  },
  {
    page: "tooling/deploy/README.md",
    begins: ["docker compose"],
    because: "needs Docker's daemon, and a registry of images",
    by: ".github/workflows/release.yml",
  },
  {
    page: "tooling/deploy/README.md",
    begins: ["git pull", "install --directory", "rm -r secrets"],
    because: "belongs to an installation by docker compose, which needs Docker's daemon",
    by: ".github/workflows/release.yml",
  },
  {
    page: "tooling/deploy/README.md",
    begins: [
      "cd tooling/deploy/kubernetes/small",
      "../../secrets.sh",
      "kubectl apply",
      "kubectl --namespace grove",
      "kubectl delete",
    ],
    because: "needs a cluster",
    by: "tooling/deploy/proof/30-kubernetes.sh",
  },
  {
    page: "tooling/mcp-bundles/README.md",
    begins: ["pnpm build", "pnpm --filter @grove/mcp-bundles make"],
    because: "CI builds, and its tests make the bundles",
    by: "tooling/mcp-bundles/src/make.test.ts",
  },
  {
    page: "tooling/reference/README.md",
    begins: ["pnpm --filter @grove/reference generate"],
    because: "writes into the clone; CI compares the pages with what it would write",
    by: "tooling/reference/src/main.ts",
  },
  {
    page: "tooling/e2e/README.md",
    begins: ["REAL_AGENTS="],
    because: "installs coding agents from npm's registry",
    by: "tooling/e2e/src/realAgents/codex.test.ts",
  },
];
