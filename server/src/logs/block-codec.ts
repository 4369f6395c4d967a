import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { LineSource } from '@signalbox/contract';

const compress = promisify(zstdCompress);

/** A log line: time (milliseconds since 1970), text without line breaks, and the writer if Signalbox wrote the line. */
export type Line = readonly [time: number, text: string, source?: LineSource];

/** Characters after the time of a line that Signalbox wrote. They are no base-36 digits, so older versions ignore them. */
const SIGNS: Readonly<Record<LineSource, string>> = { runner: '!', server: '#' };
const SOURCES: Readonly<Record<string, LineSource | undefined>> = { '!': 'runner', '#': 'server' };

/**
 * Lines as bytes. Each line is the time since the previous line in base 36, the sign of its source, a tab, the text and
 * a line break. Blocks can be joined without decoding them, and zstd compresses the small times of quick output well.
 */
export const encodeLines = (lines: readonly Line[]): Buffer => {
  let text = '';
  let before = 0;
  for (const [time, line, source] of lines) {
    text += `${Math.round(time - before).toString(36)}${source ? SIGNS[source] : ''}\t${line}\n`;
    before = Math.round(time);
  }
  return Buffer.from(text, 'utf8');
};

const decodeText = (text: string): Line[] => {
  const lines: Line[] = [];
  let time = 0;
  for (let start = 0; start < text.length; ) {
    const tab = text.indexOf('\t', start);
    const end = text.indexOf('\n', tab);
    // Stop at anything that is not a line, so that reading always ends.
    if (tab < 0 || end < 0) break;
    time += Number.parseInt(text.slice(start, tab), 36);
    const source = SOURCES[text[tab - 1] ?? ''];
    const line = text.slice(tab + 1, end);
    lines.push(source ? [time, line, source] : [time, line]);
    start = end + 1;
  }
  return lines;
};

export const decodeLines = (bytes: Uint8Array): Line[] =>
  decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));

/** Encodes records as bytes, one JSON text per line. */
export const encodeRecords = (records: readonly unknown[]): Buffer =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'utf8');

/** Returns the JSON texts of records without parsing them, because often only some are needed. */
export const recordRows = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\n').slice(0, -1);

export const pack = (bytes: Uint8Array): Promise<Buffer> => compress(bytes);
export const unpack = (bytes: Uint8Array): Buffer => zstdDecompressSync(bytes);
