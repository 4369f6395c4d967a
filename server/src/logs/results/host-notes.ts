import type { HostFactValues, HostRecord } from '@signalbox/contract';
import type { BlockSource } from '../objects/block-source.ts';
import { rowsFrom } from './record-blocks.ts';
import type { ResultIndex } from './result-index.ts';

/** What a result notes about its host: groups, facts or a change. */
export interface HostNote {
  readonly host: string;
  readonly groups?: readonly string[] | undefined;
  readonly facts?: HostFactValues | undefined;
  readonly change?: HostNoteChange | undefined;
}

/** A step that changed a host. */
export interface HostNoteChange {
  readonly step: string;
  readonly action: string;
  /** What it changed; empty if unknown. */
  readonly target: string;
  /** First log line of the result. */
  readonly line: number;
  /** Empty without one. */
  readonly diff: string;
}

export interface HostNotes {
  readonly notes: readonly HostNote[];
  /** Number of the next record; undefined at the end. */
  readonly next: number | undefined;
}

/** Notes, and characters of their records, of one page. */
const [MAX_NOTES, MAX_CHARACTERS] = [500, 2_000_000];
/** Parsing a million results takes seconds, so rows without a note are recognized by their text. */
const NOTED = /"(?:facts|groups)":|"result":"changed"|"changed":true/;

/** What a record notes about its host, and about the host that a delegated step changed. */
const notesOf = (record: HostRecord, index: ResultIndex): HostNote[] => {
  const { host, groups, facts, delegated_to, line, target = '', diff = '' } = record;
  const noted = { host, groups, facts: delegated_to === undefined ? facts : undefined };
  if (record.result !== 'changed' && record.changed !== true) return [noted];
  const step = index.steps[index.positionOf(record.step) ?? -1];
  const change = { step: step?.name ?? '', action: step?.action ?? '', target, line, diff };
  return [noted, { host: delegated_to ?? host, change }];
};

/** Reads what the results of a run note about hosts, from a record on. */
export const readNotes = async (
  source: BlockSource,
  index: ResultIndex,
  taskId: number,
  first: number,
): Promise<HostNotes> => {
  const notes: HostNote[] = [];
  let next = first;
  let characters = 0;
  for await (const rows of rowsFrom(source, taskId, first)) {
    for (const row of rows) {
      if (notes.length >= MAX_NOTES || characters >= MAX_CHARACTERS) return { notes, next };
      next += 1;
      if (!NOTED.test(row)) continue;
      const record = JSON.parse(row) as HostRecord | { readonly kind: 'play' | 'step' | 'stats' };
      if (record.kind !== 'host') continue;
      characters += row.length;
      notes.push(...notesOf(record, index));
    }
  }
  return { notes, next: undefined };
};
