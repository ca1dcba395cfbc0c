/*
 * Turns off zod's `new Function` compiler. The content security policy forbids it, and even zod's check for it would be
 * reported as a violation. zod reads this setting before its first schema.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
