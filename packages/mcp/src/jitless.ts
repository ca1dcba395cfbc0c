import * as z from "zod";

/**
 * Before any schema is made: zod would compile each when it is first used, and a server that a session starts uses most
 * of them once.
 */
z.config({ jitless: true });
