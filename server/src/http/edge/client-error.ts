import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bytesText, MAX_HEAD_BYTES } from '@signalbox/contract';
import { ApiError } from '../errors/api-error.ts';
import { errorAnswer } from '../errors/error-answer.ts';
import { EVERY_ANSWER } from './security-headers.ts';

const GARBAGE = new ApiError('bad_input.not_http');
const REASONS: Readonly<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: new ApiError('headers_too_large.bytes', { max: bytesText(MAX_HEAD_BYTES) }),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('too_slow'),
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Whether text that is written to the socket now is read as the answer to the failed request, and not as part of
 * another answer.
 */
const isOurTurn = (latest: Exchange | undefined): boolean => {
  if (!latest) return true;
  const { request, response } = latest;
  return response.writableFinished ? request.complete : !response.headersSent && !request.complete;
};

export interface ConnectionWatch {
  /** Records that a request was read from its connection. */
  taken(request: IncomingMessage, response: ServerResponse): void;
  /** Answers invalid or incomplete HTTP in the format of other errors, and closes the connection. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void;
}

/** Tracks the latest request of each connection. */
export const watchConnections = (): ConnectionWatch => {
  const exchanges = new WeakMap<Socket, Exchange>();
  return {
    taken: (request, response) => void exchanges.set(request.socket, { request, response }),
    refuse: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable || !isOurTurn(exchanges.get(socket))) {
        socket.destroy();
        return;
      }
      const refusal = REASONS[error.code ?? ''] ?? GARBAGE;
      const { status } = refusal;
      const body = JSON.stringify(errorAnswer(refusal));
      const headers = Object.entries({
        ...EVERY_ANSWER,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`, () =>
        socket.destroy(),
      );
    },
  };
};
