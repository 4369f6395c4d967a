import { closeSync, readSync } from 'node:fs';
import { openPlainFile } from './plain-file.ts';

/** The last part of a file before a position, as text. @param end position in bytes @param bytes maximum size of the part */
export const readTail = (path: string, end: number, bytes: number): string => {
  const from = Math.max(0, end - bytes);
  const tail = Buffer.alloc(end - from);
  const file = openPlainFile(path);
  try {
    return tail.toString('utf8', 0, readSync(file, tail, 0, tail.length, from));
  } finally {
    closeSync(file);
  }
};
