import * as z from "zod";

/**
 * Import this before any schema is made. Zod would otherwise compile each schema on first use, and a server that is
 * started for one session uses most of them once.
 */
z.config({ jitless: true });
