import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '@signalbox/contract/limits';
import { FileTail } from '../../output/file-tail.ts';
import { LineAssembler } from '../../output/line-assembler.ts';
import type { Masker } from '../../output/masker.ts';
import type { RunFolder } from '../folder/run-folder.ts';

const KEPT_MS = DAY_MS;
const CHUNK = 256 * 1024;
/** The server requests the log only once, so temporary errors such as too many open files are retried. */
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

const writeMasked = async (from: string, masker: Masker, to: string): Promise<void> => {
  const log = new FileTail(from);
  const assembler = new LineAssembler(masker);
  const file = await open(to, 'w', 0o600);
  try {
    for (;;) {
      const chunk = await log.read(CHUNK);
      const lines = chunk.length === 0 ? assembler.end() : assembler.push(chunk);
      await file.appendFile(lines.map((line) => `${line.text}\n`).join(''));
      if (chunk.length === 0) return;
    }
  } finally {
    await file.close();
    await log.close();
  }
};

/** Keeps the log of an orphaned run, with its secrets masked. Retries for some seconds. @returns the path of the log */
export const keepOrphanedLog = async (folder: RunFolder, masker: Masker, logs: string): Promise<string> => {
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const path = join(logs, `${folder.task_id}-${folder.epoch}.log`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeMasked(folder.output, masker, `${path}.new`);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
  await rename(`${path}.new`, path);
  return path;
};

/** Deletes orphaned logs that were kept for a day, and logs that. `now` is in milliseconds since 1970. */
export const removeOldLogs = async (logs: string, log: (text: string) => void, now = Date.now()): Promise<void> => {
  for (const name of await readdir(logs).catch(() => [])) {
    const path = join(logs, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs <= KEPT_MS) continue;
    await rm(path, { force: true });
    log(`Removed the orphaned log ${name}, which was kept for a day.`);
  }
};
