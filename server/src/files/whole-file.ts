import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { StartError } from '../start-error.ts';
import { cleanUpOnSignal } from './interruption.ts';

const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

export interface WholeFileOptions {
  readonly mayReplace: boolean;
  /** What to do when the file exists; end of an error message. */
  readonly advice: string;
}

const isThere = (file: string, advice: string): StartError => new StartError(`${file} exists already: ${advice}.`);

/** Converts an error of the file system into a message with the file name. */
const explained = (file: string, error: unknown, advice: string): unknown => {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || syscall === undefined) return error;
  if (code === 'EEXIST') return isThere(file, advice);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(`The disk is full: ${file} was not written.`);
  return new StartError(`${file} cannot be written (${message}).`);
};

const mustBeFree = (file: string, { mayReplace, advice }: WholeFileOptions): void => {
  if (!existsSync(file)) return;
  if (!mayReplace) throw isThere(file, advice);
  // The rename would replace a device file such as /dev/null.
  if (!statSync(file).isFile()) throw new StartError(`${file} is not a regular file. Name another file.`);
};

/**
 * Writes a file that only this user may read. The file either appears complete or not at all; partial data is
 * deleted, also when a signal ends this process.
 * @param write ends the stream when it returns
 * @throws StartError when the file cannot be written, or exists and must not be replaced
 */
export const writeWholeFile = async (
  path: string,
  options: WholeFileOptions,
  write: (output: Writable) => Promise<void>,
): Promise<void> => {
  const file = resolve(path);
  const part = `${file}.part-${process.pid}`;
  const remove = cleanUpOnSignal(() => rmSync(part, { force: true }));
  try {
    mustBeFree(file, options);
    const output = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    await once(output, 'open');
    await write(output);
    syncPath(part);
    if (options.mayReplace) renameSync(part, file);
    else linkSync(part, file);
    syncPath(dirname(file));
  } catch (error) {
    throw explained(file, error, options.advice);
  } finally {
    rmSync(part, { force: true });
    remove();
  }
};
