import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';

const compress = promisify(zstdCompress);

/** A line of a log: when it was written (milliseconds since 1970) and its text, which holds no line break. */
export type Line = readonly [time: number, text: string];

/**
 * Lines as bytes: each is its time since the line before in base 36, a tab, the text, a line break. Written so, a block
 * can be joined and compressed without being understood, and zstd finds the small numbers of quick output cheap.
 */
export const encodeLines = (lines: readonly Line[]): Buffer => {
  let text = '';
  let before = 0;
  for (const [time, line] of lines) {
    text += `${Math.round(time - before).toString(36)}\t${line}\n`;
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
    // What is no line ends the reading: it must come to an end whatever was stored.
    if (tab < 0 || end < 0) break;
    time += Number.parseInt(text.slice(start, tab), 36);
    lines.push([time, text.slice(tab + 1, end)]);
    start = end + 1;
  }
  return lines;
};

export const decodeLines = (bytes: Uint8Array): Line[] =>
  decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));

/** Records as bytes: one JSON text a line. */
export const encodeRecords = (records: readonly unknown[]): Buffer =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'utf8');

/** The JSON texts of records, not parsed: of many, only some may be wanted. */
export const recordRows = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\n').slice(0, -1);

export const pack = (bytes: Uint8Array): Promise<Buffer> => compress(bytes);
export const unpack = (bytes: Uint8Array): Buffer => zstdDecompressSync(bytes);
