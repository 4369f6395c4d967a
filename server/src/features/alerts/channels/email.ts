import { createTransport } from 'nodemailer';
import { plainText } from '../alert-message.ts';
import type { Channel } from './channel.ts';
import { SendError, sendErrorOfCode } from './send-error.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before the login, or `none`. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
  /** CA certificates (PEM) that are trusted in addition to those of the system. */
  readonly ca: string | undefined;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that mail servers can drop duplicates. */
  readonly messageId: string;
}

/** Time-out of each step, and of the whole delivery, in milliseconds. */
const SILENCE_MS = 10_000;
const MAIL_MS = 30_000;

const mailErrorOf = (error: unknown): SendError => {
  if (error instanceof SendError) return error;
  const { code, originalCode, responseCode, permanent } = error as Readonly<Record<string, unknown>>;
  if (typeof responseCode === 'number') {
    // An administrator must correct a refused login, so the message is sent again later.
    const isPermanent = permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
    return new SendError(isPermanent ? 'refused' : 'failed', String(responseCode));
  }
  const known = [originalCode, code].find((one) => typeof one === 'string');
  return sendErrorOfCode(typeof known === 'string' ? known : '');
};

const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? 'signalbox.invalid';

/**
 * Sends a mail on a connection of its own, so that a hanging connection delays no other mail.
 * @throws SendError
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
  const onEnd = (): void => reject(new SendError('timed_out'));
  ended.addEventListener('abort', onEnd, { once: true });
  cut.catch(() => undefined);
  try {
    if (ended.aborted) throw new SendError('timed_out');
    const sending = transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      // Prevents that mail programs decode parts of a subject that resemble their encoding.
      subject: mail.subject.replaceAll('=?', '=\u200b?'),
      text: mail.text,
      messageId: `<${mail.messageId}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Signalbox-Delivery': mail.messageId },
    });
    await Promise.race([sending, cut]);
  } catch (error) {
    throw mailErrorOf(error);
  } finally {
    ended.removeEventListener('abort', onEnd);
    transport.close();
  }
};

const configured = (settings: SmtpSettings | undefined): SmtpSettings => {
  if (!settings) throw new SendError('not_configured');
  return settings;
};

/** Mails users. The subject of an alert begins with the name of the project. */
export const emailChannel = (settings: SmtpSettings | undefined): Channel<'user'> => ({
  recipient: 'user',
  lane: 'mail',
  isConfigured: settings !== undefined,
  describe: ({ id, name }) => ({ name, queue: `user:${id}` }),
  validate: () => void configured(settings),
  deliver: async ({ email }, { message, messageId, ended, notStarted }, signal) => {
    const project = (ended?.input ?? notStarted)?.project;
    const subject = project ? `[${project.name}] ${message.title}` : message.title;
    await sendMail(configured(settings), { to: email, subject, text: plainText(message), messageId }, signal);
  },
});
