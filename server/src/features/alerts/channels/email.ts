import { createTransport } from 'nodemailer';
import { faultOfCode, SendFault } from './send-fault.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before anything is said, or `none`. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
  /** Certificates in PEM of authorities that are trusted beside the usual ones. */
  readonly ca: string | undefined;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same in every attempt, so that the receiving side knows what it has already. */
  readonly messageId: string;
}

/** Longest silence of the server, in milliseconds, at each step; and longest that all of a message takes. */
const SILENCE_MS = 10_000;
const MAIL_MS = 30_000;

const faultOfMail = (error: unknown): SendFault => {
  if (error instanceof SendFault) return error;
  const { code, originalCode, responseCode, permanent } = error as Readonly<Record<string, unknown>>;
  if (typeof responseCode === 'number') {
    // A refused sign-in is for the administrator to mend: the message waits for that.
    const isForGood = permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
    return new SendFault(isForGood ? 'refused' : 'failed', String(responseCode));
  }
  const known = [originalCode, code].find((one) => typeof one === 'string');
  return faultOfCode(typeof known === 'string' ? known : '');
};

const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? 'signalbox.invalid';

/**
 * Sends a mail on a connection of its own: one that hangs holds up no other.
 * @throws SendFault
 */
export const sendMail = async (settings: SmtpSettings, mail: Mail, signal: AbortSignal): Promise<void> => {
  const { host, port, security, user, password, from, ca } = settings;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MAIL_MS)]);
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const onEnd = (): void => reject(new SendFault('timed_out'));
  ended.addEventListener('abort', onEnd, { once: true });
  cut.catch(() => undefined);
  try {
    if (ended.aborted) throw new SendFault('timed_out');
    const sending = transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      // A name that looks like the code for other letters is to be read as it was written.
      subject: mail.subject.replaceAll('=?', '=\u200b?'),
      text: mail.text,
      messageId: `<${mail.messageId}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Signalbox-Delivery': mail.messageId },
    });
    await Promise.race([sending, cut]);
  } catch (error) {
    throw faultOfMail(error);
  } finally {
    ended.removeEventListener('abort', onEnd);
    transport.close();
  }
};
