import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Opens a file that a run user may have replaced. Does not follow links and does not wait for pipes.
 * @throws Error if the path is not a regular file with one name
 */
export const openPlainFile = (path: string): number => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const status = fstatSync(file);
  if (status.isFile() && status.nlink <= 1) return file;
  closeSync(file);
  throw new Error(`${path} is not a regular file.`);
};

/**
 * Reads the beginning of a file that a run user may have replaced.
 * @param bytes maximum size of the result
 * @throws Error if the path is not a regular file with one name
 */
export const readPlainFile = (path: string, bytes: number): string => {
  const file = openPlainFile(path);
  try {
    const text = Buffer.alloc(bytes);
    return text.toString('utf8', 0, readSync(file, text, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
};
