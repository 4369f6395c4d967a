import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '@signalbox/contract/link';
import { syncFile } from '../runs/durable-file.ts';
import type { RunFolder } from '../runs/run-folder.ts';
import type { Masker } from './masker.ts';
import { BEGINNING, type ReadPosition } from './read-position.ts';
import { closeSources, openFrom } from './sources.ts';

const PORTION = 256 * 1024;

/** How long the secrets on the disk wait for the masked copies, in milliseconds. */
const MASKED_IN_MS = 400;

/** Stands where the rest of a log would be that nobody can mask any more. */
export const UNMASKABLE_LINE =
  'The rest of the output is not shown: the runner ended before it was masked, and the secrets were removed already.';

/**
 * Writes masked copies of an ended run's log, times and results from a position on, with the same lines and numbers.
 * Afterwards neither the raw output nor the secrets are needed any more, but a power cut may still take the copies.
 * `size` is the length of the raw log.
 */
export const sealOutput = async (
  folder: RunFolder,
  masker: Masker,
  size: number,
  from: ReadPosition,
): Promise<void> => {
  const sources = openFrom(folder, masker, from);
  const files: FileHandle[] = [];
  const draft = async (path: string) => {
    const file = await open(path, 'w', 0o600);
    files.push(file);
    return file;
  };
  try {
    const [output, times, events] = [
      await draft(folder.sealed.output),
      await draft(folder.sealed.times),
      await draft(folder.sealed.events),
    ];
    let offset = 0;
    for (let isRead = false; !isRead; ) {
      const chunk = await sources.log.read(Math.min(PORTION, size - sources.log.position));
      const lines = sources.assembler.push(chunk);
      isRead = chunk.length === 0;
      if (isRead) lines.push(...sources.assembler.end());
      await sources.times.reach(lines.at(-1)?.end ?? 0);
      const rows: string[] = [];
      for (const line of lines) {
        offset += Buffer.byteLength(line.text) + 1;
        rows.push(`${offset} ${sources.times.at(line.end)}\n`);
      }
      await output.appendFile(lines.map((line) => `${line.text}\n`).join(''));
      await times.appendFile(rows.join(''));
      for (;;) {
        const records = await sources.events.read(isRead);
        if (records.length === 0) break;
        // The mark has done its work: the line is known.
        await events.appendFile(records.map((record) => `${JSON.stringify({ ...record, mark: 0 })}\n`).join(''));
      }
    }
  } finally {
    for (const file of files) await file.close();
    await closeSources(sources);
  }
};

/** Makes the masked copies survive a power cut. */
const syncCopies = async (folder: RunFolder): Promise<void> => {
  for (const path of Object.values(folder.sealed)) await syncFile(path);
};

/**
 * Makes an ended run wait for the server without its secrets. They leave the disk as soon as the copies are there to
 * stay. Where that takes longer than `patience` milliseconds they leave it before: no longer needed, if the copies are
 * written and only may not survive a power cut yet; else from then on they are in this process alone, and should it end
 * then, what was not delivered stays unread.
 */
export const sealRun = async (
  folder: RunFolder,
  order: Order,
  masker: Masker,
  size: number,
  from: ReadPosition,
  patience = MASKED_IN_MS,
): Promise<void> => {
  const copying = sealOutput(folder, masker, size, from).then(() => folder.noteCopies(from));
  const sealing = copying.then(() => syncCopies(folder));
  const isInTime = await Promise.race([
    sealing.then(
      () => true,
      () => false,
    ),
    delay(patience, false),
  ]);
  if (!isInTime && !masker.isEmpty) await folder.dropSecrets(order);
  await sealing;
  await folder.markSealed(order, from);
};

/** Takes one line for all that was not masked in time; it is numbered behind what is stored elsewhere. */
const sealWithoutOutput = async (folder: RunFolder): Promise<ReadPosition> => {
  for (const [path, text] of [
    [folder.sealed.output, `${UNMASKABLE_LINE}\n`],
    [folder.sealed.times, `${Buffer.byteLength(UNMASKABLE_LINE) + 1} ${Date.now()}\n`],
    [folder.sealed.events, ''],
  ] as const) {
    await writeFile(path, text, { mode: 0o600, flush: true });
  }
  const last = Number.MAX_SAFE_INTEGER;
  return { ...BEGINNING, line: last, events: { ...BEGINNING.events, count: last } };
};

/** Ends the sealing that an earlier process began: with its copies, else with one line that says what is missing. */
export const endSealing = async (folder: RunFolder): Promise<ReadPosition> => {
  const from = folder.readCopies();
  if (!from) return sealWithoutOutput(folder);
  await syncCopies(folder);
  return from;
};
