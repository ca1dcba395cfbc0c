import type { FastifyBaseLogger } from "fastify";
import { createTransport, type Transporter } from "nodemailer";

export interface Mail {
  to: string;
  subject: string;
  /** The reason for the mail; the link follows. */
  text: string;
  link: string;
}

/** The mail server; `service` is the name that signs mails. */
export interface Smtp {
  url: string;
  from: string;
  service: string;
}

/** A mail server that does not answer must not block what waits for it. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** How long a closing process waits for mails in flight. */
const CUT_OFF_MS = 3_000;

/**
 * Connects to the mail server and signs in, as a mail would.
 * @throws {Error} when it does not accept that
 */
export async function tryMail({ url }: Smtp): Promise<void> {
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Sends mails through SMTP; without it (development) their links are logged at `warn`. */
export class Mailer {
  readonly #transport: Transporter | undefined;
  readonly #from: string | undefined;
  readonly #service: string | undefined;
  readonly #linkBase: string;
  readonly #log: FastifyBaseLogger;
  readonly #sending = new Set<Promise<void>>();

  /** @param linkBase the address of the pages that links open */
  constructor(smtp: Smtp | undefined, linkBase: string, log: FastifyBaseLogger) {
    if (smtp)
      this.#transport = createTransport({ url: smtp.url, pool: true, maxConnections: 3, ...timeouts });
    this.#from = smtp?.from;
    this.#service = smtp?.service;
    this.#linkBase = linkBase;
    this.#log = log;
  }

  /**
   * A mail's link. The token is in the fragment: browsers send that to no server, nor in a referrer.
   * @param page such as `verify-email`, where the page passes the token to the procedure or route of that name
   */
  link(page: string, token: string): string {
    return `${this.#linkBase.replace(/\/$/, "")}/${page}#token=${token}`;
  }

  /**
   * Makes a mail and sends it. No caller waits for it, so that timing reveals nothing about what `make` found (null:
   * there is nothing to send). A failure is logged; a mail can be requested again.
   */
  send(make: () => Promise<Mail | null> | Mail): void {
    const sending = this.#send(make)
      .catch((error) => this.#log.error({ err: error }, "an email could not be sent"))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Resolves when no mail is in flight. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Waits briefly for mails in flight and abandons the rest. */
  async close(): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const cutOff = new Promise<void>((resolve) => {
      late = setTimeout(resolve, CUT_OFF_MS);
    });
    await Promise.race([this.idle(), cutOff]);
    clearTimeout(late);
    this.#transport?.close();
  }

  async #send(make: () => Promise<Mail | null> | Mail): Promise<void> {
    const mail = await make();
    if (!mail) return;
    const { to, subject, text, link } = mail;
    if (this.#transport)
      await this.#transport.sendMail({
        from: this.#from,
        to,
        subject,
        text: `${text}\n\n${link}\n\n${this.#service}\n`,
      });
    else this.#log.warn({ to, subject, link }, "no SMTP_URL is set: this email was not sent");
  }
}
