/**
 * The floor's device. It reads the stream, writes each command to a journal with one fsync for all that arrived in the
 * meantime, and answers. argv: the server's URL and the journal's path.
 */
import { open } from "node:fs/promises";
import { get } from "node:http";
import { send } from "../http";

const [url = "", path = ""] = process.argv.slice(2);
const journal = await open(path, "a");
let waiting: { id: string }[] = [];
let writing = false;

async function writeAll(): Promise<void> {
  if (writing) return;
  writing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await journal.write(batch.map((command) => `${JSON.stringify(command)}\n`).join(""));
    await journal.datasync();
    for (const { id } of batch) void send(`${url}/complete`, { body: { id, result: { projects: [] } } });
  }
  writing = false;
}

get(`${url}/stream`, (stream) => {
  process.stdout.write("connected\n");
  let unread = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const events = (unread + chunk).split("\n\n");
    unread = events.pop() ?? "";
    waiting.push(...events.map((event) => JSON.parse(event.slice("data: ".length))));
    void writeAll();
  });
});
