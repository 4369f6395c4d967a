import type { ResultRecord } from '@signalbox/contract';
import type { RunnerMessage } from '@signalbox/contract/link';
import type { LogLine } from './line-assembler.ts';

/** Bytes of one message. The item that exceeds the limit still belongs to it. */
const BATCH_BYTES = 64 * 1024;
const RECORDS_BYTES = 256 * 1024;
const RECORDS_PER_MESSAGE = 200;

const LINE_BYTES = 8;
const RECORD_BYTES = 200;

export interface TimedLine extends LogLine {
  time: number;
  /** Whether the runner wrote it itself. */
  isOwn: boolean;
}

const lengthOf = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** Every record and all of its text count, because the playbook determines them. */
const bytesOfRecord = (record: ResultRecord): number => {
  switch (record.kind) {
    case 'play':
      return RECORD_BYTES + lengthOf([record.name, ...(record.names ?? [])]);
    case 'step':
      return RECORD_BYTES + lengthOf([record.name, record.action]);
    case 'host':
      return (
        RECORD_BYTES +
        lengthOf([record.host, record.message, record.delegated_to, record.target, record.diff]) +
        lengthOf([...(record.items?.names ?? []), ...(record.groups ?? [])]) +
        (record.facts ? JSON.stringify(record.facts).length : 0)
      );
    case 'stats': {
      const hosts = Object.keys(record.hosts);
      return RECORD_BYTES * (1 + hosts.length) + lengthOf(hosts);
    }
  }
};

/** The content of one message, with its approximate size in bytes. */
interface Batch<T> {
  items: T[];
  bytes: number;
}

const inBatches = <T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  limits: { bytes: number; items: number },
): Batch<T>[] => {
  const batches: Batch<T>[] = [];
  for (const item of items) {
    const last = batches.at(-1);
    const isFull = !last || last.bytes >= limits.bytes || last.items.length === limits.items;
    const batch = isFull ? { items: [], bytes: 0 } : last;
    if (isFull) batches.push(batch);
    batch.items.push(item);
    batch.bytes += bytesOf(item);
  }
  return batches;
};

export const lineBatches = (lines: readonly TimedLine[]): Batch<TimedLine>[] =>
  inBatches(lines, ({ text }) => text.length + LINE_BYTES, { bytes: BATCH_BYTES, items: Number.POSITIVE_INFINITY });

export const recordBatches = (records: readonly ResultRecord[]): Batch<ResultRecord>[] =>
  inBatches(records, bytesOfRecord, { bytes: RECORDS_BYTES, items: RECORDS_PER_MESSAGE });

/** The run of a message. */
interface RunName {
  task_id: number;
  epoch: number;
}

export const linesMessage = (
  { task_id, epoch }: RunName,
  first: number,
  items: readonly TimedLine[],
): RunnerMessage => ({
  type: 'output',
  task_id,
  epoch,
  first,
  times: items.map((line) => line.time),
  lines: items.map((line) => line.text),
  own: items.filter((line) => line.isOwn).map((line) => line.number),
  offset: items.at(-1)?.end ?? 0,
});

export const recordsMessage = ({ task_id, epoch }: RunName, first: number, records: ResultRecord[]): RunnerMessage => ({
  type: 'results',
  task_id,
  epoch,
  first,
  records,
});
