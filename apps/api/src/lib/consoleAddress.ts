import type { FastifyRequest } from "fastify";

/** Whether a browser requests HTML, and the console is built. Programs get JSON. */
export const wantsConsole = (
  { headers }: Pick<FastifyRequest, "headers">,
  { webDir }: { webDir?: string | undefined },
): boolean => webDir !== undefined && headers.accept?.includes("text/html") === true;

/**
 * A URL of the console with parameters in its fragment, which browsers send to no server.
 * @param path begins with a slash
 */
export const consoleUrl = (path: string, words: Record<string, string>): string =>
  `${path}#${new URLSearchParams(words)}`;
