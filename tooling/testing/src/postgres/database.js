import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * Makes a new, empty database beside the one that `url` names.
 * @param {string} url of a role that may create databases
 * @param {{ template?: string }} [options] `template`: the name of a database to copy, which must have no connections
 * @returns {Promise<{ url: string, drop(): Promise<void> }>} `drop` disconnects everyone who is still connected
 */
export async function createDatabase(url, { template } = {}) {
  const name = `grove_${randomBytes(8).toString("hex")}`;
  await runStatement(
    url,
    `create database ${name}${template ? ` template ${pg.escapeIdentifier(template)}` : ""}`,
  );
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => dropDatabase(url, name) };
}

/**
 * Drops a database if it exists, and disconnects everyone who is still connected to it.
 * @param {string} url of a role that may drop it
 * @param {string} name
 */
export const dropDatabase = (url, name) =>
  runStatement(url, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);

/**
 * Runs one statement over a connection of its own.
 * @param {string} url
 * @param {string} statement
 * @param {unknown[]} [values]
 */
export async function runStatement(url, statement, values = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
