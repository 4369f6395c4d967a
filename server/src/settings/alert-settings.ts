import { z } from 'zod';
import { PemFile } from './pem-file.ts';

/** Matches the sender of a mail: an address, or a name with an address in angle brackets. */
const FROM = /^(?:[^\s@<>]+@[^\s@<>]+|[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>)$/;

/** Settings of the alert channels, except numbers and networks. */
export const ALERT_SETTINGS = {
  SIGNALBOX_SMTP_HOST: z.string().trim().min(1).optional(),
  SIGNALBOX_SMTP_SECURITY: z.enum(['starttls', 'tls', 'none']).default('starttls'),
  SIGNALBOX_SMTP_USER: z.string().min(1).optional(),
  SIGNALBOX_SMTP_PASSWORD: z.string().min(1).optional(),
  SIGNALBOX_SMTP_FROM: z.string().trim().regex(FROM, 'must be an email address').optional(),
  SIGNALBOX_SMTP_CA: PemFile.optional(),
  SIGNALBOX_TELEGRAM_TOKEN: z
    .string()
    .regex(/^[\w:-]+$/, 'must be a bot token')
    .optional(),
  SIGNALBOX_TELEGRAM_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api.telegram.org'),
};

const Given = z.object(ALERT_SETTINGS).extend({
  SIGNALBOX_SMTP_PORT: z.number().optional(),
  SIGNALBOX_ALERT_NETWORKS: z.array(z.string()),
  SIGNALBOX_KEEP_ALERTS_DAYS: z.number(),
});

export interface AlertConfig {
  /** Undefined when the server sends no mail. */
  readonly smtp:
    | {
        readonly host: string;
        readonly port: number;
        readonly security: 'starttls' | 'tls' | 'none';
        readonly user: string | undefined;
        readonly password: string | undefined;
        readonly from: string;
        readonly ca: string | undefined;
      }
    | undefined;
  /** Undefined when no Telegram bot is set up. */
  readonly telegram: { readonly token: string; readonly url: string } | undefined;
  /** Private networks to which receivers of projects may belong, in addition to the public internet. */
  readonly networks: readonly string[];
  /** Days for which deliveries and their results are kept. */
  readonly keepDays: number;
}

/** Errors of settings that are valid one by one but not together. */
export const alertErrors = (s: z.output<typeof Given>): string[] => {
  const problems: string[] = [];
  if (s.SIGNALBOX_SMTP_HOST !== undefined && s.SIGNALBOX_SMTP_FROM === undefined)
    problems.push('SIGNALBOX_SMTP_FROM: is required with SIGNALBOX_SMTP_HOST');
  if (s.SIGNALBOX_SMTP_USER !== undefined && s.SIGNALBOX_SMTP_PASSWORD === undefined)
    problems.push('SIGNALBOX_SMTP_PASSWORD: is required with SIGNALBOX_SMTP_USER');
  return problems;
};

const smtpOf = (s: z.output<typeof Given>): AlertConfig['smtp'] => {
  const { SIGNALBOX_SMTP_HOST: host, SIGNALBOX_SMTP_FROM: from, SIGNALBOX_SMTP_SECURITY: security } = s;
  if (host === undefined || from === undefined) return undefined;
  return {
    host,
    from,
    security,
    port: s.SIGNALBOX_SMTP_PORT ?? (security === 'tls' ? 465 : 587),
    user: s.SIGNALBOX_SMTP_USER,
    password: s.SIGNALBOX_SMTP_PASSWORD,
    ca: s.SIGNALBOX_SMTP_CA,
  };
};

export const alertConfig = (s: z.output<typeof Given>): AlertConfig => ({
  smtp: smtpOf(s),
  telegram:
    s.SIGNALBOX_TELEGRAM_TOKEN === undefined
      ? undefined
      : { token: s.SIGNALBOX_TELEGRAM_TOKEN, url: s.SIGNALBOX_TELEGRAM_URL },
  networks: s.SIGNALBOX_ALERT_NETWORKS,
  keepDays: s.SIGNALBOX_KEEP_ALERTS_DAYS,
});
