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
import { cleanUpOnSignal } from './interruption.ts';
import { StartError } from './start-error.ts';

const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

export interface WholeFileOptions {
  readonly mayReplace: boolean;
  /** What to do where there is a file already, in words that end a sentence. */
  readonly advice: string;
}

const isThere = (file: string, advice: string): StartError => new StartError(`${file} is there already: ${advice}.`);

/** What a disk or a folder says, for whoever named the file. */
const explained = (file: string, error: unknown, advice: string): unknown => {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || syscall === undefined) return error;
  if (code === 'EEXIST') return isThere(file, advice);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(`There is no room for ${file}.`);
  return new StartError(`${file} cannot be written (${message}).`);
};

const mustBeFree = (file: string, { mayReplace, advice }: WholeFileOptions): void => {
  if (!existsSync(file)) return;
  if (!mayReplace) throw isThere(file, advice);
  // The rename would take the place of a device, such as /dev/null, for everybody.
  if (!statSync(file).isFile()) throw new StartError(`${file} is no file that could be replaced: name another one.`);
};

/**
 * Writes a file that only this user may read. Under its name it is whole or not there, and what is half made is removed,
 * also when a signal ends this process.
 * @param write ends the stream when it returns
 * @throws StartError when it cannot be written, or when there is a file of that name and it may not be replaced
 */
export const writeWholeFile = async (
  path: string,
  options: WholeFileOptions,
  write: (output: Writable) => Promise<void>,
): Promise<void> => {
  const file = resolve(path);
  const part = `${file}.part-${process.pid}`;
  const forget = cleanUpOnSignal(() => rmSync(part, { force: true }));
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
    forget();
  }
};
