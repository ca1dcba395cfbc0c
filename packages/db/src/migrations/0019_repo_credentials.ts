import { type Kysely, sql } from "kysely";

/**
 * Takes user names, passwords and tokens out of the repositories' URLs that were stored while they were accepted: all
 * members see these URLs. Of an ssh URL the user name stays, which ssh needs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update projects set repo_url = regexp_replace(repo_url, '^([Hh][Tt][Tt][Pp][Ss]?://)[^/?#]*@', '\\1')
    where repo_url ~* '^https?://[^/?#]*@'
  `.execute(db);
  await sql`
    update projects set repo_url = regexp_replace(repo_url, '^([Ss][Ss][Hh]://[^:/@?#]*):[^/?#]*@', '\\1@')
    where repo_url ~* '^ssh://[^:/@?#]*:[^/?#]*@'
  `.execute(db);
}
