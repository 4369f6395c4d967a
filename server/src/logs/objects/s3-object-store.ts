import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Target } from '../../settings/log-store-settings.ts';
import { LogStoreError, type LogStoreProblem, type ObjectStore } from './object-store.ts';
import { listQuery, parseList } from './s3-list.ts';
import { PAUSE_MS, READ_TRY_MS, TRIES, WRITE_TRY_MS } from './time-limits.ts';

const NO_BODY = Buffer.alloc(0);
const TOO_SHORT = 416;
const FULL = 507;
/** Codes of stores that limit the size of a bucket, such as MinIO and Ceph. */
const FULL_CODE = /<Code>\w{0,60}QuotaExceeded<\/Code>/;

interface Content {
  /** The query of the URL, encoded and sorted. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  readonly length: number;
  readonly body: Buffer;
}

const mayPass = (status: number): boolean => (status >= 500 && status !== FULL) || status === 429 || status === 408;

const problemOf = ({ status, body }: Answer): LogStoreProblem => {
  if (status === TOO_SHORT) return 'changed';
  if (status === FULL || FULL_CODE.test(body.toString('latin1'))) return 'full';
  // A missing bucket is a wrong setting. The answer to HEAD has no body, and only follows a write.
  if (status === 404) return body.includes('<Code>NoSuchBucket</Code>') ? 'refused' : 'missing';
  return mayPass(status) ? 'away' : 'refused';
};

/** The code of an error, such as `AccessDenied`, which is short and contains no secret. */
const codeOf = ({ body }: Answer): string => /<Code>(\w{1,60})<\/Code>/.exec(body.toString('latin1'))?.[1] ?? '';

/** The address of an object. Names consist of letters, digits and `/ - . _`, which need no encoding. */
const urlOf = ({ endpoint, bucket, prefix, pathStyle }: S3Target, name: string): URL => {
  const url = new URL(endpoint);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  // The bucket itself, without a name, has no prefix.
  url.pathname = [pathStyle ? `/${bucket}` : '', name === '' ? '' : prefix, name]
    .filter((part) => part !== '')
    .join('/');
  return url;
};

/** Stores objects in a bucket of an S3-compatible store. */
export const s3ObjectStore = (target: S3Target): ObjectStore => {
  const { accessKey: accessKeyId, secret: secretAccessKey, region } = target;
  /** Keys that signatures of a day share. */
  const cache = new Map<string, ArrayBuffer>();
  const address = `s3:${target.bucket}${target.prefix === '' ? '' : `/${target.prefix}`} at ${target.endpoint}`;

  const send = async (
    method: 'GET' | 'PUT' | 'HEAD' | 'DELETE',
    name: string,
    { headers = {}, body = NO_BODY, query = '', signal }: Content,
  ): Promise<Answer> => {
    const inTime = AbortSignal.timeout(method === 'PUT' ? WRITE_TRY_MS : READ_TRY_MS);
    const url = urlOf(target, name);
    url.search = query;
    const hash = createHash('sha256').update(body).digest('hex');
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers: { ...headers, 'x-amz-content-sha256': hash }, allHeaders: true },
      ...{ service: 's3', region, accessKeyId, secretAccessKey, cache },
    });
    const signed = await signer.sign();
    const response = await fetch(url, {
      ...{ method, headers: signed.headers, redirect: 'manual' },
      ...(method === 'PUT' ? { body: new Uint8Array(body) } : {}),
      signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    });
    const length = Number(response.headers.get('content-length') ?? 0);
    return { status: response.status, length, body: Buffer.from(await response.arrayBuffer()) };
  };

  /** Repeats what may pass, unless it was aborted: every request has the same effect once or twice. */
  const request = async (
    method: 'GET' | 'PUT' | 'HEAD' | 'DELETE',
    name: string,
    content: Content = {},
  ): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === TRIES;
      try {
        const answer = await send(method, name, content);
        if (answer.status < 300) return answer;
        if (isLast || !mayPass(answer.status))
          throw new LogStoreError(
            problemOf(answer),
            `The log store ${address} answered ${answer.status} ${codeOf(answer)} to ${method} ${name}.`,
          );
      } catch (error) {
        if (error instanceof LogStoreError) throw error;
        const { message, cause } = error as Error;
        const why = cause instanceof Error ? cause.message : message;
        if (isLast || content.signal?.aborted)
          throw new LogStoreError('away', `The log store ${address} does not answer: ${why}`, error);
      }
      await delay(PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  };

  return {
    address,
    put: async (name, bytes, signal) => {
      // The store compares the bytes with the signed hash.
      await request('PUT', name, { body: bytes, signal });
      const { length } = await request('HEAD', name, { signal });
      if (length !== bytes.length)
        throw new LogStoreError('changed', `${name} has ${length} bytes, not ${bytes.length}.`);
    },
    read: async (name, offset, length) => {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const { status, body } = await request('GET', name, { headers: { range } });
      // A store that ignores ranges answers 200 with everything.
      const bytes = status === 206 ? body : body.subarray(offset, offset + length);
      if (bytes.length !== length) throw new LogStoreError('changed', `${name} in ${address} is too short.`);
      return bytes;
    },
    list: async (after) => {
      const prefix = target.prefix === '' ? '' : `${target.prefix}/`;
      const { body } = await request('GET', '', { query: listQuery(prefix, after) });
      return parseList(body.toString(), prefix);
    },
    remove: async (name) => {
      try {
        await request('DELETE', name);
      } catch (error) {
        if (!(error instanceof LogStoreError) || error.logStoreProblem !== 'missing') throw error;
      }
    },
  };
};
