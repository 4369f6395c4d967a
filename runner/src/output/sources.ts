import type { RunFolder } from '../runs/run-folder.ts';
import { EventReader } from './event-reader.ts';
import { FileTail } from './file-tail.ts';
import { LineAssembler } from './line-assembler.ts';
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { LineTimes } from './line-times.ts';
import { Masker } from './masker.ts';
import { BEGINNING, ReadPosition } from './read-position.ts';

/** What a run's log and results are read from, from the beginning or some position on. */
export interface Sources {
  log: FileTail;
  times: LineTimes;
  events: EventReader;
  assembler: LineAssembler;
  /** True when they are masked copies, which have the lines of the raw ones from some position on. */
  isSealed: boolean;
}

const openRaw = (folder: RunFolder, masker: Masker, from: ReadPosition): Sources => {
  const events = new EventReader(folder.place.events, masker, from.events);
  const splitter = new LineSplitter(MAX_LINE_BYTES, from.offset);
  return {
    log: new FileTail(folder.output, from.offset),
    times: new LineTimes(folder.times),
    events,
    assembler: new LineAssembler(masker, events.onMark, splitter, from),
    isSealed: false,
  };
};

const openSealed = (folder: RunFolder, from: ReadPosition): Sources => {
  const { output, times, events } = folder.sealed;
  const nothing = new Masker([]);
  const splitter = new LineSplitter(Number.POSITIVE_INFINITY);
  return {
    log: new FileTail(output),
    times: new LineTimes(times),
    events: new EventReader(events, nothing, { ...from.events, offset: 0, marks: [] }),
    // The copies hold only what comes after the position; their own bytes count from 0.
    assembler: new LineAssembler(nothing, undefined, splitter, { ...from, offset: 0 }),
    isSealed: true,
  };
};

/** Lines and records that are stored elsewhere. */
export interface Stored {
  readonly next_line: number;
  readonly next_result: number;
}

/** The position that was kept, where nothing behind it is stored; otherwise all is read again. */
const keptPosition = (folder: RunFolder, stored: Stored): ReadPosition => {
  const kept = folder.readParsed(folder.position, ReadPosition);
  if (kept && kept.line < stored.next_line && kept.events.count < stored.next_result) return kept;
  return BEGINNING;
};

/**
 * Opens what is to be read next. Where the copies begin behind what is stored elsewhere, which happens only when stored
 * lines were lost there, they are numbered from there on.
 */
export const openSources = (folder: RunFolder, masker: Masker, stored: Stored): Sources => {
  if (!folder.isSealed()) return openRaw(folder, masker, keptPosition(folder, stored));
  const base = folder.readParsed(folder.file('sealed'), ReadPosition) ?? BEGINNING;
  const line = Math.min(base.line, stored.next_line - 1);
  const count = Math.min(base.events.count, stored.next_result - 1);
  return openSealed(folder, { ...base, line, events: { ...base.events, count } });
};

export const openFrom = (folder: RunFolder, masker: Masker, from: ReadPosition): Sources =>
  openRaw(folder, masker, from);

export const positionOf = ({ assembler, events }: Sources): ReadPosition => ({
  ...assembler.position,
  events: events.position,
});

export const closeSources = async ({ log, times, events }: Sources): Promise<void> => {
  await Promise.all([log.close(), times.close(), events.close()]);
};
