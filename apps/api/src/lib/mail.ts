import type { FastifyBaseLogger } from "fastify";
import { createTransport, type Transporter } from "nodemailer";

export interface Mail {
  to: string;
  subject: string;
  /** Why the receiver gets it; the link follows. */
  text: string;
  link: string;
}

/** The mail server; `service` is the name that mails are signed with. */
export interface Smtp {
  url: string;
  from: string;
  service: string;
}

/** A mail server that does not answer must not hold on to what waits for it. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** How long a closing process waits for mails that are on their way. */
const CUT_OFF_MS = 3_000;

/** Sends mails through SMTP; without it (development) their links are logged at `warn`. */
export class Mailer {
  readonly #transport: Transporter | undefined;
  readonly #from: string | undefined;
  readonly #service: string | undefined;
  readonly #linkBase: string;
  readonly #log: FastifyBaseLogger;
  readonly #sending = new Set<Promise<void>>();

  /** @param linkBase where the pages are that links open */
  constructor(smtp: Smtp | undefined, linkBase: string, log: FastifyBaseLogger) {
    if (smtp)
      this.#transport = createTransport({ url: smtp.url, pool: true, maxConnections: 3, ...timeouts });
    this.#from = smtp?.from;
    this.#service = smtp?.service;
    this.#linkBase = linkBase;
    this.#log = log;
  }

  /**
   * The link of a mail. The token stands in the fragment: browsers send it to no server, nor on as a referrer.
   * @param page such as `verify-email`, where the page hands the token to the procedure or route of that name
   */
  link(page: string, token: string): string {
    return `${this.#linkBase.replace(/\/$/, "")}/${page}#token=${token}`;
  }

  /**
   * Makes a mail and sends it. Nobody waits for that, so that time tells nothing about what `make` found (null: there is
   * nothing to send); that it failed is logged, and a mail can be asked for again.
   */
  send(make: () => Promise<Mail | null> | Mail): void {
    const sending = this.#send(make)
      .catch((error) => this.#log.error({ err: error }, "a mail could not be sent"))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Waits a little for what is being sent, and gives up the rest. */
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
        ...{ from: this.#from, to, subject },
        text: `${text}\n\n${link}\n\n${this.#service}\n`,
      });
    else this.#log.warn({ to, subject, link }, "no SMTP_URL is set: this mail was not sent");
  }
}
