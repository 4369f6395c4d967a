import type { HostRecords, RunHosts, RunSteps, RunSummary } from '@signalbox/contract';
import type { Line } from './block-codec.ts';
import type { Appended, LogHead, OutputBatch, ResultsBatch } from './log-blocks.ts';
import type { HostsQuestion } from './results/result-pages.ts';

/** Keeps the logs of tasks. What an append answered is on disk. Both stores pass one suite. */
export interface LogStore {
  appendOutput(batch: OutputBatch): Promise<Appended<Line>>;
  appendResults(batch: ResultsBatch): Promise<Appended<unknown>>;
  /** Ends a log, with a last line where one is given: it follows whatever was stored before, and nothing follows it. */
  seal(taskId: number, lastLine?: Line): Promise<Appended<Line>>;
  remove(taskIds: readonly number[]): Promise<void>;
  head(taskId: number): Promise<LogHead>;
  /** How many lines are stored. Fewer than the head says if another program deleted some. */
  storedLines(taskId: number): Promise<number>;
  /** Pages end before `limit` where they hold much text: lines at so many bytes, or at those of a page. */
  lines(taskId: number, from: number, limit: number, bytes?: number): Promise<Line[]>;
  /** The last of the lines before a number, in their order. */
  linesBefore(taskId: number, end: number, limit: number): Promise<Line[]>;
  results(taskId: number, from: number, limit: number): Promise<unknown[]>;
  resultSummary(taskId: number): Promise<RunSummary>;
  resultSteps(taskId: number, first: number, limit: number): Promise<RunSteps>;
  resultHosts(taskId: number, question: HostsQuestion): Promise<RunHosts>;
  resultFailures(taskId: number, first: number, limit: number): Promise<HostRecords>;
  /** Undefined for a host that the run does not know. */
  resultsOfHost(
    taskId: number,
    host: number,
    step: number | undefined,
    first: number,
    limit: number,
  ): Promise<HostRecords | undefined>;
  close(): Promise<void>;
}
