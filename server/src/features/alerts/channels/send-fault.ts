import type { AlertFault } from '@signalbox/contract';

/** A message did not arrive. Names neither the address nor anything that the receiver answered but a code. */
export class SendFault extends Error {
  override readonly name = 'SendFault';
  readonly fault: AlertFault;
  /** A status or a code of the network; empty where there is none. */
  readonly detail: string;
  /** The receiver asked to be left alone for so long, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(fault: AlertFault, detail = '', retryAfterMs?: number) {
    super(`${fault} ${detail}`.trim());
    this.fault = fault;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

const FOR_GOOD: readonly AlertFault[] = ['not_configured', 'not_wanted', 'address_refused', 'redirected', 'refused'];

/** Whether trying again would end in the same. */
export const isForGood = (fault: AlertFault): boolean => FOR_GOOD.includes(fault);

const NO_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EDNS'];
const TOO_LONG = ['ETIMEDOUT', 'ETIMEOUT', 'ABORT_ERR', 'UND_ERR_CONNECT_TIMEOUT'];
const CERTIFICATE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ETLS|EPROTO)/;

/** What a code of the network or of TLS says about a message that did not arrive. */
export const faultOfCode = (code: string): SendFault => {
  if (NO_HOST.includes(code)) return new SendFault('no_such_host', code);
  if (TOO_LONG.includes(code)) return new SendFault('timed_out');
  return new SendFault(CERTIFICATE.test(code) ? 'not_trusted' : 'not_reached', code);
};

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'ETIMEDOUT';
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : '';
};

/** The same for whatever was thrown while a message was brought. */
export const faultOf = (error: unknown): SendFault => {
  if (error instanceof SendFault) return error;
  // All addresses of a host were tried: what the first of them said stands for all.
  if (error instanceof AggregateError && codeOf(error) === '') return faultOf(error.errors[0]);
  return faultOfCode(codeOf(error));
};
