import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bytesText, ERRORS, type ErrorAnswer, type ErrorCode, MAX_HEAD_BYTES } from '@signalbox/contract';
import { EVERY_ANSWER } from './security-headers.ts';

const GARBAGE = ['bad_input', 'The request is not valid HTTP.'] as const;
const REASONS: Readonly<Record<string, readonly [code: ErrorCode, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    `The address and the headers are longer than ${bytesText(MAX_HEAD_BYTES)} together.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['too_slow', 'The request took too long to arrive.'],
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Whether what is written to the socket now is read as the answer to what is at fault, and not as part of another. */
const isOurTurn = (latest: Exchange | undefined): boolean => {
  if (!latest) return true;
  const { request, response } = latest;
  return response.writableFinished ? request.complete : !response.headersSent && !request.complete;
};

export interface ConnectionWatch {
  /** Notes that a request was taken from its connection. */
  taken(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what is no HTTP, or does not arrive, in the words of every other failure, and closes the connection. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void;
}

/** Knows the latest request of each connection. */
export const watchConnections = (): ConnectionWatch => {
  const exchanges = new WeakMap<Socket, Exchange>();
  return {
    taken: (request, response) => void exchanges.set(request.socket, { request, response }),
    refuse: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable || !isOurTurn(exchanges.get(socket))) {
        socket.destroy();
        return;
      }
      const [code, sentence] = REASONS[error.code ?? ''] ?? GARBAGE;
      const body = JSON.stringify({ error: sentence, code } satisfies ErrorAnswer);
      const headers = Object.entries({
        ...EVERY_ANSWER,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      const { status } = ERRORS[code];
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`, () =>
        socket.destroy(),
      );
    },
  };
};
