import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  readonly region: string;
  readonly accessKey: string;
  readonly secret: string;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hexadecimal digits. */
  readonly bodyHash: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Returns the headers of a request to an S3 store, signed with version 4 of the AWS signature. All headers are signed. The
 * path of the URL must be encoded as RFC 3986 describes, and the URL must have no query.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export const signedHeaders = (
  { method, url, headers, bodyHash }: UnsignedRequest,
  { region, accessKey, secret }: Credentials,
  now: Date,
): Record<string, string> => {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const sent: Record<string, string> = { ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': time };
  const names = ['host', ...Object.keys(sent)].toSorted();
  const lines = names.map((name) => `${name}:${name === 'host' ? url.host : (sent[name] ?? '').trim()}\n`);
  const request = [method, url.pathname, '', lines.join(''), names.join(';'), bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region));
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(request)].join('\n')).toString('hex');
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
};
