import type { Socket } from 'node:net';
import { ERRORS, type ErrorAnswer, type ErrorCode } from '@signalbox/contract';
import { EVERY_ANSWER } from './security-headers.ts';

const REASONS: Readonly<Record<string, readonly [status: string, code: ErrorCode, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'too_large', 'The address or the headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'bad_input', 'The request took too long to arrive.'],
};
const GARBAGE = [`${ERRORS.bad_input.status} Bad Request`, 'bad_input', 'The request is not valid HTTP.'] as const;

/** Answers what is no HTTP, in the words of every other failure, and closes the connection. */
export const refuseGarbage = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, sentence] = REASONS[error.code ?? ''] ?? GARBAGE;
  const body = JSON.stringify({ error: sentence, code } satisfies ErrorAnswer);
  const headers = Object.entries({
    ...EVERY_ANSWER,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`, () => socket.destroy());
};
