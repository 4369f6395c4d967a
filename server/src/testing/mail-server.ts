import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded text. */
  readonly text: string;
  readonly user: string | undefined;
  readonly isSecure: boolean;
}

const ENCODED_TEXT = /=\?utf-8\?([qb])\?([^?]*)\?=/gi;

const unquoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const decodedHeader = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(ENCODED_TEXT, (_, kind: string, text: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquoted(text.replaceAll('_', ' '))).toString('utf8'),
    );

const readMail = (raw: string): Pick<ReceivedMail, 'headers' | 'text'> => {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), decodedHeader(line.slice(at + 1).trim())];
    }),
  );
  const body = raw.slice(end + 4);
  const encoding = headers['content-transfer-encoding'] ?? '7bit';
  if (encoding === 'base64') return { headers, text: Buffer.from(body, 'base64').toString('utf8') };
  if (encoding === 'quoted-printable')
    return { headers, text: unquoted(body.replaceAll('=\r\n', '')).toString('utf8') };
  return { headers, text: body };
};

/** Called with each mail. A returned error refuses the mail with its `responseCode`. */
export type MailAnswer = (mail: ReceivedMail, index: number) => Promise<Error | undefined> | Error | undefined;

/** An error with the code of an SMTP refusal. */
export const refusal = (responseCode: number, text = 'no'): Error => Object.assign(new Error(text), { responseCode });

/** A mail server on this machine. It stops after the test. */
export const startMailServer = async (options: SMTPServerOptions = {}, answer: MailAnswer = () => undefined) => {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    ...options,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          ...readMail(Buffer.concat(chunks).toString('utf8')),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user === undefined ? undefined : String(session.user),
          isSecure: session.secure,
        };
        mails.push(mail);
        for (const poll of waiting) poll();
        done(await answer(mail, mails.length - 1));
      });
    },
  });
  server.on('error', () => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(async () => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    port,
    /** Settings of a server that sends through it. */
    settings: {
      SIGNALBOX_SMTP_HOST: '127.0.0.1',
      SIGNALBOX_SMTP_PORT: String(port),
      SIGNALBOX_SMTP_SECURITY: 'none',
      SIGNALBOX_SMTP_FROM: 'Signalbox <signalbox@example.org>',
    } as Record<string, string>,
    until: async (count: number): Promise<void> => {
      if (mails.length >= count) return;
      const there = Promise.withResolvers<void>();
      const poll = (): void => {
        if (mails.length >= count) there.resolve();
      };
      waiting.add(poll);
      await there.promise;
      waiting.delete(poll);
    },
  };
};
