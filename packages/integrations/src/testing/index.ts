export * from "./all";
export * from "./discord";
export * from "./github";
export * from "./gitlab";
export * from "./jira";
export * from "./linear";
export * from "./server";
export * from "./slack";
