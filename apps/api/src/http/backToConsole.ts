import type { FastifyRequest } from "fastify";
import type { Services } from "../services";

/**
 * Whether a person looks at the answer in a browser, and the console can show it. Programs get JSON.
 */
export const isShown = (
  { headers }: Pick<FastifyRequest, "headers">,
  { webDir }: Services["config"],
): boolean => webDir !== undefined && headers.accept?.includes("text/html") === true;

/**
 * A page of the console, with words for it in the fragment, which browsers send to no server.
 * @param path begins with a slash
 */
export const pageWith = (path: string, words: Record<string, string>): string =>
  `${path}#${new URLSearchParams(words)}`;
