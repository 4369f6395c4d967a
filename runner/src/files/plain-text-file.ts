import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** No file that people write is longer, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** Why a file is not read, as the end of a sentence. */
class NoPlainText extends Error {}

/**
 * The text of a file that others put there; undefined when there is none. What is behind its name may be a device that
 * never ends, or a pipe that nobody writes to: neither is waited for.
 * @throws NoPlainText when it is no file, or longer than 1 MB
 */
export const readPlainText = (path: string): string | undefined => {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new NoPlainText('it is no file');
    if (facts.size > MOST_BYTES) throw new NoPlainText('it is longer than 1 MB');
    const bytes = Buffer.alloc(facts.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
};
