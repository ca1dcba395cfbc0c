import { type LocalFile, link } from "@grove/schemas";
import { UserError } from "../errors";
import type { DataDir } from "./dataDir";
import { provenFetch } from "./overview";
import { ownerMissing, signIn } from "./owner";

/**
 * Makes the address that signs a browser in to the console as the owner: once, within ten minutes.
 * @param endEarlier also signs out all browsers that earlier links have signed in
 * @throws {UserError} if the owner cannot sign in
 */
export async function makeLink(
  file: LocalFile,
  dir: DataDir,
  { endEarlier }: { endEarlier: boolean },
  signal: AbortSignal,
): Promise<string> {
  const { apiUrl } = file;
  const fetcher = provenFetch(file) ?? fetch;
  const owner = await dir.owner.read();
  if (!owner) throw new UserError(ownerMissing(dir));
  const token = await signIn(apiUrl, owner, dir, signal, fetcher);
  const post = (path: string, body: object) =>
    fetcher(`${apiUrl}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal,
    });
  try {
    const answer = await post("links", { endEarlier });
    if (!answer.ok) throw new UserError(`The API returned no link (${answer.status}). Start Grove again.`);
    return `${apiUrl}/link#code=${link.parse(await answer.json()).code}`;
  } finally {
    await post("sign-out", {});
  }
}
