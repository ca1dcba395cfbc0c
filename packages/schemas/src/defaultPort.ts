/** The port on which the API listens by default. */
export const DEFAULT_PORT = 3000;
/** Where programs on the same machine expect the API by default. */
export const DEFAULT_API_URL = `http://127.0.0.1:${DEFAULT_PORT}`;
