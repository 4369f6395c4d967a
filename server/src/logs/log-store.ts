import type { Line } from './block-codec.ts';
import type { Appended, LogHead, OutputBatch, ResultsBatch } from './log-blocks.ts';

/** Keeps the logs of tasks. What an append answered is on disk. Both stores pass one suite. */
export interface LogStore {
  appendOutput(batch: OutputBatch): Promise<Appended<Line>>;
  appendResults(batch: ResultsBatch): Promise<Appended<unknown>>;
  seal(taskId: number): Promise<LogHead>;
  remove(taskIds: readonly number[]): Promise<void>;
  head(taskId: number): Promise<LogHead>;
  lines(taskId: number, from: number, limit: number): Promise<Line[]>;
  results(taskId: number, from: number, limit: number): Promise<unknown[]>;
  close(): Promise<void>;
}
