/*
 * zod compiles its schemas by `new Function`, and tries whether that is allowed. Here it is not, and even the try would
 * be a violation of the page's content security policy. zod reads this before its first schema.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
