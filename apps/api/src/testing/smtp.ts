import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** The token in the mail's link. */
  token: string;
}

/** A mail server of the test file's own, which accepts every mail; closed after the file's tests. */
export async function useSmtpServer() {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        mails.push({ ...read(Buffer.concat(chunks).toString()), from: mailFrom ? mailFrom.address : "", to });
        done();
        for (const recheck of [...waiting]) recheck();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Takes the first mail to this address, past or future. */
    next: (address: string) =>
      new Promise<ReceivedMail>((resolve) => {
        const recheck = () => {
          const at = mails.findIndex(({ to }) => to.includes(address));
          const [mail] = at < 0 ? [] : mails.splice(at, 1);
          if (!mail) return;
          waiting.delete(recheck);
          resolve(mail);
        };
        waiting.add(recheck);
        recheck();
      }),
  };
}

/** A message of one part (RFC 5322), in 7bit or quoted-printable (RFC 2045, section 6.7). */
function read(message: string): Pick<ReceivedMail, "subject" | "text" | "token"> {
  const [head = "", body = ""] = message.split(/\r\n\r\n(.*)/s, 2);
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? "";
  const text = /^Content-Transfer-Encoding: quoted-printable/im.test(head)
    ? Buffer.from(
        body
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      ).toString()
    : body;
  return { subject, text, token: /#token=(\S+)/.exec(text)?.[1] ?? "" };
}
