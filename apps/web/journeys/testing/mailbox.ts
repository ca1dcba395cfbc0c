import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, expect } from "vitest";

/** A mail server for the test file, and the API's variables for it. */
export async function useMailbox() {
  const mails: { to: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      void text(stream).then((content) => {
        // Undoes the line breaks of quoted-printable (RFC 2045, section 6.7).
        for (const { address } of session.envelope.rcptTo)
          mails.push({ to: address, text: content.replaceAll("=\r\n", "").replaceAll("=3D", "=") });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: "Grove <grove@example.com>" },
    /** Waits for a mail to this address that links to this page. Returns the link's path with its token. */
    link: async (to: string, page: string): Promise<string> => {
      const find = () =>
        mails.flatMap((mail) =>
          mail.to === to ? (new RegExp(`/${page}#token=[\\w-]+`).exec(mail.text)?.[0] ?? []) : [],
        );
      await expect.poll(() => find().length).toBeGreaterThan(0);
      return find().at(-1) ?? "";
    },
  };
}
