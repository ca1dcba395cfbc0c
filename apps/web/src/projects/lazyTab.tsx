import type { Project } from "@grove/schemas";
import { ScriptsTab } from "./scripts/scriptsTab";
import { SecretsTab } from "./secretsTab";

/** The tabs that load after the page. They are one file, since the entry lists the names of all files. */
export const LazyTab = ({ tab, project }: { tab: "secrets" | "scripts"; project: Project }) =>
  tab === "secrets" ? <SecretsTab project={project} /> : <ScriptsTab projectId={project.id} />;
