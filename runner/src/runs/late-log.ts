import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Masker } from '../output/masker.ts';
import { BEGINNING } from '../output/read-position.ts';
import { endSealing, sealOutput } from '../output/seal.ts';
import type { RunFolder } from './run-folder.ts';
import { sizeOfLog } from './run-log.ts';

const KEPT_MS = 24 * 60 * 60_000;

/** Keeps the log of a run that came too late, with its secrets masked. Answers where. */
export const keepLateLog = async (folder: RunFolder, masker: Masker, logs: string): Promise<string> => {
  // Where the secrets are gone already, nobody can mask it any more.
  if (folder.isSealing()) await endSealing(folder);
  else if (!folder.isSealed()) await sealOutput(folder, masker, sizeOfLog(folder), BEGINNING);
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const path = join(logs, `${folder.task_id}-${folder.epoch}.log`);
  await rename(folder.sealed.output, path);
  return path;
};

/** Removes the late logs that were kept for a day, and says so. `now` is in milliseconds since 1970. */
export const removeOldLogs = async (
  logs: string,
  note: (sentence: string) => void,
  now = Date.now(),
): Promise<void> => {
  for (const name of await readdir(logs).catch(() => [])) {
    const path = join(logs, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs <= KEPT_MS) continue;
    await rm(path, { force: true });
    note(`Removed the late log ${name}, kept for a day.`);
  }
};
