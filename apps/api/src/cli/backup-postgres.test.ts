import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateVaultKey } from "@grove/auth";
import { openBackup } from "@grove/db";
import type {} from "@grove/testing/context";
import { createDatabase } from "@grove/testing/postgres";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, expect, inject, it, onTestFinished } from "vitest";

const directory = await temporaryDirectory(afterAll);
const released = fileURLToPath(
  new URL("../../../../packages/db/src/backup/released/0.1.0.backup.gz", import.meta.url),
);

it("moves an embedded database to PostgreSQL, without the secrets whose key is lost", async () => {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  onTestFinished(drop);
  const run = (...args: string[]) =>
    startProgram([process.execPath, fileURLToPath(new URL("../../dist/main.js", import.meta.url)), ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, CREDENTIALS_KEY: generateVaultKey("other") },
      endAfter: onTestFinished,
    }).ended;
  const from = await openBackup(released);
  expect(from.header.engine).toBe("pglite");
  expect(await run("restore", released, "--forget-secrets")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Deleted 16 stored secrets that no key decrypts\.$/m),
  });
  const file = join(directory, "moved.backup.gz");
  expect(await run("backup", file)).toMatchObject({ code: 0, stdout: "" });
  const { header, summary } = await openBackup(file);
  expect(header.engine).toBe("postgres");
  // The tables that the backup's release did not have yet are empty.
  const none = Object.fromEntries(Object.keys(summary.rows).map((table) => [table, 0]));
  expect(summary.rows).toEqual({
    ...none,
    ...from.summary.rows,
    project_secrets: 0,
    integration_connections: 0,
    integration_webhooks: 0,
    task_issues: 0,
    push_keys: 0,
    push_subscriptions: 0,
    notification_rules: 0,
    notification_outbox: 0,
    // Each organization gets an audit event.
    audit_events: Number(from.summary.rows.audit_events) + 12,
  });
});
