import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

// Checks that need neither Docker nor Kubernetes. The proofs of `.ci/ship` run the files.

const root = join(import.meta.dirname, "../../..");
const read = (...path: string[]) => readFile(join(root, ...path), "utf8");

it("the Dockerfile has no mistake, and its images no root, no shell and no base that may change", async () => {
  const dockerfile = await read("Dockerfile");
  expect(validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  const lines = dockerfile.split("\n");
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));
  for (const form of [...of("ENTRYPOINT"), ...of("RUN")]) expect(form).toMatch(/^\w+ \["/);
  for (const check of of("HEALTHCHECK")) expect(check).toMatch(/CMD \["[^"]*node", .*"health"\]$/);
  expect(of("USER")).toEqual(["USER 65532:65532", "USER 65532:65532"]);
  for (const base of ["NODE", "DISTROLESS"])
    expect(of("ARG").find((line) => line.startsWith(`ARG ${base}=`))).toMatch(/@sha256:[\da-f]{64}$/);
  expect(of("ADD")).toEqual([]);
});

interface Compose {
  services: Record<
    string,
    { depends_on?: object; networks?: string[]; secrets?: string[]; read_only?: boolean; cap_drop?: string[] }
  >;
  networks: object;
  secrets: object;
}

it("compose.yaml names only what it has, and confines what faces people", async () => {
  const { services, networks, secrets } = parse(await read("compose.yaml"), { merge: true }) as Compose;
  for (const service of Object.values(services)) {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})));
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(service.networks ?? []));
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(service.secrets ?? []));
  }
  for (const name of ["migrate", "api-1", "api-2", "caddy"])
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  expect(services.caddy?.networks).not.toContain("inside");
});

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec?: { template?: { spec: { securityContext: object; containers: { securityContext: object }[] } } };
}

it.each(["small", "production"])("the overlay %s runs nothing as root", async (overlay) => {
  const text = await read("tooling/deploy/kubernetes/snapshots", `${overlay}.snapshot`);
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
  expect(pods.length).toBeGreaterThan(1);
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    for (const container of containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  }
});

it("every file of Kubernetes belongs to a kustomization, which names no file that is not there", async () => {
  for (const folder of ["base", "small", "production"]) {
    const place = ["tooling/deploy/kubernetes", folder];
    const { resources, patches = [] } = parse(await read(...place, "kustomization.yaml")) as {
      resources: string[];
      patches?: { path: string }[];
    };
    const named = [...resources, ...patches.map(({ path }) => path)].filter((name) => name.endsWith(".yaml"));
    const present = (await readdir(join(root, ...place))).filter((name) => name.endsWith(".yaml"));
    expect(present.toSorted()).toEqual([...named, "kustomization.yaml"].toSorted());
  }
});

interface Workflow {
  permissions: object;
  jobs: Record<
    string,
    {
      needs?: string | string[];
      "timeout-minutes"?: number;
      environment?: string;
      permissions?: object;
      if?: string;
    }
  >;
}

it("a job that publishes runs for a tag alone, after what proves it and a person's approval", async () => {
  const { permissions, jobs } = parse(await read(".github/workflows/release.yml")) as Workflow;
  expect(permissions).toEqual({ contents: "read" });
  const publishing = Object.entries(jobs).filter(([, { environment }]) => environment !== undefined);
  expect(publishing.map(([name]) => name)).toEqual(["packages", "registry", "servers"]);
  for (const [name, job] of Object.entries(jobs)) {
    const needs = [job.needs ?? []].flat();
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needs));
    expect(job["timeout-minutes"], name).toBeLessThanOrEqual(45);
    if (job.environment === undefined) expect(job.permissions, name).toBeUndefined();
    else {
      expect(job.if).toBe("startsWith(github.ref, 'refs/tags/v')");
      expect(needs, name).toEqual(name === "servers" ? ["packages"] : ["prove", "image"]);
    }
  }
});
