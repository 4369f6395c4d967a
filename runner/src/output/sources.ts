import { EventReader, maxEventBytes } from './event-reader.ts';
import { FileTail } from './file-tail.ts';
import { LineAssembler } from './line-assembler.ts';
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { LineTimes } from './line-times.ts';
import type { Masker } from './masker.ts';
import { BEGINNING, ReadPosition } from './read-position.ts';
import type { RunFiles } from './run-files.ts';

/** The readers of the files that contain the log and the results of a run. */
export interface Sources {
  log: FileTail;
  times: LineTimes;
  events: EventReader;
  assembler: LineAssembler;
}

/** The numbers of the first line and the first record that the server has not stored. */
export interface Stored {
  readonly next_line: number;
  readonly next_result: number;
}

/**
 * The saved position, if the server still has everything before it. Otherwise, such as after a restore, the beginning.
 */
const startPosition = (folder: RunFiles, stored: Stored): ReadPosition => {
  const saved = folder.readParsed(folder.position, ReadPosition);
  if (saved && saved.line < stored.next_line && saved.events.count < stored.next_result) return saved;
  return BEGINNING;
};

/**
 * Opens the readers at the saved position, or at the beginning.
 * @param eventsLimit size limit of the events file, in bytes
 */
export const openSources = (folder: RunFiles, masker: Masker, stored: Stored, eventsLimit: number): Sources => {
  const from = startPosition(folder, stored);
  const events = new EventReader(folder.workspace.events, masker, from.events, maxEventBytes(eventsLimit));
  const splitter = new LineSplitter(MAX_LINE_BYTES, from.offset);
  return {
    log: new FileTail(folder.output, from.offset),
    times: new LineTimes(folder.times, from.offset),
    events,
    assembler: new LineAssembler(masker, events.onMarker, splitter, from),
  };
};

export const positionOf = ({ assembler, events }: Sources): ReadPosition => ({
  ...assembler.position,
  events: events.position,
});

export const closeSources = async ({ log, times, events }: Sources): Promise<void> => {
  await Promise.all([log.close(), times.close(), events.close()]);
};
