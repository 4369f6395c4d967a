import type { AlertDeliveryError } from '@signalbox/contract';
import { AddressRefusedError } from '../../../outgoing/http-request.ts';

/** Why a message was not delivered. Contains only a code: neither the address of the receiver nor what it answered. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly reason: AlertDeliveryError;
  /** An HTTP or SMTP status, or a network error code; empty if there is none. */
  readonly detail: string;
  /** Delay that the receiver requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: AlertDeliveryError, detail = '', retryAfterMs?: number) {
    super(`${reason} ${detail}`.trim());
    this.reason = reason;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

const PERMANENT: readonly AlertDeliveryError[] = [
  'not_configured',
  'not_wanted',
  'address_refused',
  'redirected',
  'refused',
];

/** Whether another attempt would fail in the same way. */
export const isPermanent = (reason: AlertDeliveryError): boolean => PERMANENT.includes(reason);

const UNKNOWN_HOST_CODES = ['ENOTFOUND', 'EAI_AGAIN', 'EDNS'];
const TIMEOUT_CODES = ['ETIMEDOUT', 'ETIMEOUT', 'ABORT_ERR', 'UND_ERR_CONNECT_TIMEOUT'];
const CERTIFICATE_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ETLS|EPROTO)/;

/** Converts an error code of Node for a failed lookup, connection or TLS handshake. */
export const sendErrorOfCode = (code: string): SendError => {
  if (UNKNOWN_HOST_CODES.includes(code)) return new SendError('no_such_host', code);
  if (TIMEOUT_CODES.includes(code)) return new SendError('timed_out');
  return new SendError(CERTIFICATE_CODE.test(code) ? 'not_trusted' : 'not_reached', code);
};

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'ETIMEDOUT';
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : '';
};

/** Converts any exception of a channel. */
export const sendErrorOf = (error: unknown): SendError => {
  if (error instanceof SendError) return error;
  if (error instanceof AddressRefusedError) return new SendError('address_refused');
  // The connection to each address of the host failed. Only the first error is reported.
  if (error instanceof AggregateError && codeOf(error) === '') return sendErrorOf(error.errors[0]);
  return sendErrorOfCode(codeOf(error));
};
