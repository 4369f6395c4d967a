import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Does something with an open file, and lets what it then holds survive a power cut. */
const synced = (path: string, flags: 'r' | 'wx', use: (descriptor: number) => void): void => {
  const descriptor = openSync(path, flags, 0o600);
  try {
    use(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Writes a short text that only this user may read beside a file and moves it there: on a full disk, or killed at any
 * moment, what was there before is there, or all of the text.
 */
export const writeWholeText = (file: string, text: string, move: (from: string, to: string) => void): void => {
  const part = `${file}.part-${process.pid}`;
  rmSync(part, { force: true });
  try {
    synced(part, 'wx', (descriptor) => writeFileSync(descriptor, text));
    move(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  synced(dirname(file), 'r', () => undefined);
};
