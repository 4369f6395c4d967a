import type { RunFolder } from '../runs/run-folder.ts';
import { EventReader } from './event-reader.ts';
import { FileTail } from './file-tail.ts';
import { LineAssembler } from './line-assembler.ts';
import { LineSplitter } from './line-splitter.ts';
import { LineTimes } from './line-times.ts';
import { Masker } from './masker.ts';

/** What a run's log and results are read from, from the beginning. */
export interface Sources {
  log: FileTail;
  times: LineTimes;
  events: EventReader;
  assembler: LineAssembler;
  /** True when they are masked copies, which have the lines of the raw ones. */
  isSealed: boolean;
}

export const openSources = (folder: RunFolder, masker: Masker): Sources => {
  const isSealed = folder.isSealed();
  const { output, times } = isSealed ? folder.sealed : folder;
  const events = isSealed ? folder.sealed.events : folder.place.events;
  const reader = new EventReader(events, isSealed ? new Masker([]) : masker);
  const assembler = isSealed
    ? new LineAssembler(new Masker([]), undefined, new LineSplitter(Number.POSITIVE_INFINITY))
    : new LineAssembler(masker, reader.onMark);
  return { log: new FileTail(output), times: new LineTimes(times), events: reader, assembler, isSealed };
};

export const closeSources = async ({ log, times, events }: Sources): Promise<void> => {
  await Promise.all([log.close(), times.close(), events.close()]);
};
