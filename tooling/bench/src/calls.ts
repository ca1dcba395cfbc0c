import type { Grove } from "./grove";

export const encode = (value: object) => encodeURIComponent(JSON.stringify(value));
export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** The URL of a request with `calls` queries of one procedure, in the form of tRPC's client. */
export function queriesUrl({ url }: Grove, procedure: string, calls: number, input: object): string {
  const inputs = Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, input]));
  const query = calls === 1 ? `input=${encode(input)}` : `batch=1&input=${encode(inputs)}`;
  return `${url}/api/trpc/${Array(calls).fill(procedure).join(",")}?${query}`;
}
