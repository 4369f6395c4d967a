import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A value as compressed JSON in Base64. */
export const packJson = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64');

export const unpackJson = <T>(packed: string): T =>
  JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as T;
