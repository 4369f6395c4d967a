import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Keys {
  readonly accessKey: string;
  readonly secret: string;
}

/** Seconds by which the time of a request may differ. */
const MAX_SKEW = 15 * 60;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Returns the code of the error of a request that is not signed as it must be; undefined for a correct one. */
const signatureError = ({ method = '', url = '', headers }: IncomingMessage, body: Buffer, keys: Keys) => {
  const [, key, scope = '', names = '', given] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (given === undefined) return 'AccessDenied';
  if (key !== keys.accessKey) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(Math.abs(Date.now() - at) < MAX_SKEW * 1000)) return 'RequestTimeTooSkewed';
  if (headers['x-amz-content-sha256'] !== hash(body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return 'AccessDenied';
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const [path = '', query = ''] = url.split('?');
  const canonical = [method, path, query.split('&').toSorted().join('&'), lines, names, hash(body)].join('\n');
  const [day = '', region = '', service = '', end = ''] = scope.split('/');
  const signingKey = [region, service, end].reduce(hmac, hmac(`AWS4${keys.secret}`, day));
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  return hmac(signingKey, text).toString('hex') === given ? undefined : 'SignatureDoesNotMatch';
};

const STATUSES: Readonly<Record<string, number>> = {
  XMinioStorageFull: 507,
  NoSuchKey: 404,
  NoSuchBucket: 404,
  InvalidRange: 416,
};

const refuse = (response: ServerResponse, code: string): void => {
  response.writeHead(STATUSES[code] ?? 403, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
};

const sendRange = (response: ServerResponse, bytes: Buffer, range: string | undefined): number => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined) {
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    return bytes.length;
  }
  if (Number(first) >= bytes.length) {
    refuse(response, 'InvalidRange');
    return 0;
  }
  const part = bytes.subarray(Number(first), Number(last) + 1);
  response.writeHead(206, { 'content-length': part.length }).end(part);
  return part.length;
};

const encodeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;').replaceAll('"', '&#x22;');

const sendList = (response: ServerResponse, objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): void => {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
  const contents = names
    .slice(0, Number(query.get('max-keys')))
    .map(
      (name) =>
        `<Contents><Key>${encodeXml(name)}</Key><LastModified>${new Date().toISOString()}</LastModified></Contents>`,
    );
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${contents.join('')}</ListBucketResult>`);
};

/** A store with the part of the protocol of S3 that a log store needs. It checks signatures. One bucket, in memory. */
export const startS3Server = async (bucket: string, keys: Keys) => {
  const objects = new Map<string, Buffer>();
  let sent = 0;
  let held: PromiseWithResolvers<void> | undefined;
  let isFull = false;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (request.method === 'PUT' && held) return held.resolve();
    const wrong = signatureError(request, body, keys);
    if (wrong) return refuse(response, wrong);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, inBucket, ...rest] = pathname.split('/');
    if (inBucket !== bucket) return refuse(response, 'NoSuchBucket');
    const name = rest.join('/');
    if (searchParams.has('list-type')) return sendList(response, objects, searchParams);
    if (request.method === 'PUT') {
      if (isFull) return refuse(response, 'XMinioStorageFull');
      objects.set(name, body);
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return void response.writeHead(204).end();
    }
    const bytes = objects.get(name);
    if (!bytes) return refuse(response, 'NoSuchKey');
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': bytes.length }).end();
    sent += sendRange(response, bytes, request.headers.range);
  };
  const server = createServer((request, response) => void handle(request, response));
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    /** Bytes of objects that were sent. */
    sent: () => sent,
    /** Answers no write from now on, until `release`. The promise resolves with the first. */
    hold: (): Promise<void> => {
      held = Promise.withResolvers<void>();
      return held.promise;
    },
    release: () => {
      held = undefined;
    },
    /** Refuses writes from now on. */
    fill: () => {
      isFull = true;
    },
    stop,
    back: () => listen(port),
  };
};
