import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** Longest text that is compressed on this thread, in characters. */
const MAX_INLINE = 8 * 1024;

/** A value as compressed JSON in Base64. */
export const packJson = async (value: unknown): Promise<string> => {
  const text = JSON.stringify(value);
  const packed = text.length > MAX_INLINE ? await deflate(text) : deflateRawSync(text);
  return packed.toString('base64');
};

export const unpackJson = <T>(packed: string): T =>
  JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as T;
