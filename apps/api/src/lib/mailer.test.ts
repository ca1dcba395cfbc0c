import { Writable } from "node:stream";
import pino from "pino";
import { expect, it } from "vitest";
import { Mailer } from "./mailer";

function logged() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: pino(stream) };
}
const mail = { to: "ada@example.com", subject: "Hello", text: "Open this:" };

it("without SMTP, logs the link as a warning", async () => {
  const { lines, log } = logged();
  const mailer = new Mailer(undefined, "https://app.example.com/", log);
  const link = mailer.link("verify-email", "abc");
  expect(link).toBe("https://app.example.com/verify-email#token=abc");
  mailer.send(() => ({ ...mail, link }));
  mailer.send(async () => null);
  await mailer.close();
  expect(lines).toMatchObject([{ level: 40, to: "ada@example.com", link }]);
});

it("survives an unreachable mail server, and logs it", async () => {
  const { lines, log } = logged();
  const mailer = new Mailer(
    { url: "smtp://127.0.0.1:1", from: "grove@example.com", service: "grove" },
    "http://localhost",
    log,
  );
  mailer.send(() => ({ ...mail, link: "x" }));
  mailer.send(() => {
    throw new Error("on purpose");
  });
  await mailer.close();
  expect(lines).toMatchObject([
    { level: 50, msg: "an email could not be sent" },
    { level: 50, msg: "an email could not be sent" },
  ]);
});
