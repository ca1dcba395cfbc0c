/*
 * A coding agent that acts like opencode 1.18 towards its plugins, and does what its prompt scripts: a JSON array of
 * events (https://opencode.ai/docs/plugins). After `permission.asked` it waits until a plugin has replied, or a key was
 * typed.
 */
const [prompt = ""] = process.argv.flatMap((argument) => /^--prompt=(.*)$/s.exec(argument)?.[1] ?? []);
const { plugin: plugins = [] } = JSON.parse(process.env.OPENCODE_CONFIG_CONTENT ?? "{}");

/** @type {((reply: string) => void) | undefined} */
let onReply;
/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\r\n`);
const client = {
  /** @param {{ path: object, body: { response: string } }} call */
  postSessionIdPermissionsPermissionId: async ({ path, body }) => {
    print(`reply ${JSON.stringify({ ...path, ...body })}`);
    onReply?.(body.response);
  },
};
process.stdin.setRawMode?.(true);
process.stdin.on("data", () => onReply?.("key"));

/** @type {{ event(given: object): Promise<void> }[]} */
const loaded = [];
for (const address of plugins)
  for (const make of Object.values(await import(address))) loaded.push(await make({ client }));

/** @param {{ type: string, properties: Record<string, unknown> }} event */
async function emit(event) {
  for (const { event: hear } of loaded) await hear({ event });
  // No model answers faster, so two events never begin at the same time.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

for (const event of JSON.parse(prompt || "[]")) {
  /** @type {Promise<string>} */
  const replied = new Promise((resolve) => {
    onReply = resolve;
  });
  await emit(event);
  if (event.type !== "permission.asked") continue;
  const { id, sessionID } = event.properties;
  const reply = await replied;
  print(`decided by ${reply}`);
  await emit({ type: "permission.replied", properties: { sessionID, requestID: id, reply } });
}
print("> ");
// Stays at its prompt.
setInterval(() => {}, 60_000);
