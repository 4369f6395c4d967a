import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Calls `use` with an open file, and syncs the file to disk. */
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
 * Writes a short text to a temporary file, readable only by this user, and moves it over the target. After a crash or
 * on a full disk, the target has either the old or the new content.
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
