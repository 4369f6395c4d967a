import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { DetailError } from '../errors/own-detail.ts';

/** Maximum size of a file, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file of a repository; undefined if it does not exist. Devices and pipes are refused, because reading them may
 * never end.
 * @throws DetailError if it is not a regular file, or larger than 1 MB
 */
export const readPlainText = (path: string): string | undefined => {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new DetailError('not_file', 'it is not a file');
    if (stats.size > MAX_BYTES) throw new DetailError('file_too_long', 'it is longer than 1 MB');
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
};
