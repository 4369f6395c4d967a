import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { HttpsReceiver, SyslogServer } from '../audit/export/destinations.ts';
import { PemFile } from './pem-file.ts';

const isSyslog = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && ['tcp:', 'tls:'].includes(url.protocol) && url.hostname !== '' && url.port !== '';
};

/** Settings of the audit export. */
export const AUDIT_SETTINGS = {
  SIGNALBOX_AUDIT_FILE: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  SIGNALBOX_AUDIT_SYSLOG: z.string().refine(isSyslog, 'must be tcp:// or tls:// with a host and a port').optional(),
  SIGNALBOX_AUDIT_URL: z.url({ protocol: /^https$/, error: 'must be an https:// address' }).optional(),
  SIGNALBOX_AUDIT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
  SIGNALBOX_AUDIT_CA: PemFile.optional(),
};

const Given = z.object(AUDIT_SETTINGS);

/** Where events are sent; undefined for destinations that are not set up. */
export interface AuditConfig {
  readonly file: string | undefined;
  readonly syslog: SyslogServer | undefined;
  readonly https: HttpsReceiver | undefined;
}

/** Errors of settings that are valid one by one but not together. */
export const auditErrors = (s: z.output<typeof Given>): string[] =>
  s.SIGNALBOX_AUDIT_TOKEN !== undefined && s.SIGNALBOX_AUDIT_URL === undefined
    ? ['SIGNALBOX_AUDIT_URL: is required with SIGNALBOX_AUDIT_TOKEN']
    : [];

const syslogOf = (address: string | undefined, ca: string | undefined): SyslogServer | undefined => {
  if (address === undefined) return undefined;
  const { protocol, hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), tls: protocol === 'tls:', ca };
};

export const auditConfig = (s: z.output<typeof Given>): AuditConfig => ({
  file: s.SIGNALBOX_AUDIT_FILE,
  syslog: syslogOf(s.SIGNALBOX_AUDIT_SYSLOG, s.SIGNALBOX_AUDIT_CA),
  https: s.SIGNALBOX_AUDIT_URL
    ? { url: s.SIGNALBOX_AUDIT_URL, token: s.SIGNALBOX_AUDIT_TOKEN, ca: s.SIGNALBOX_AUDIT_CA }
    : undefined,
});
