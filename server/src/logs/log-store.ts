import type {
  FailureHosts,
  HostRecords,
  LogMatches,
  RunHosts,
  RunSteps,
  RunSummary,
  RunTimeline,
} from '@signalbox/contract';
import type { ClustersOfRun, HostPage } from '../failures/run-clusters.ts';
import type { RunSoFar, RunTimes } from '../times/run-times.ts';
import type { StoredRun, TimesOfRuns } from '../times/template-times.ts';
import type { Line } from './block-codec.ts';
import type { ComparedLogs } from './comparison/compared-logs.ts';
import type { Appended, LogHead, OutputBatch, ResultsBatch } from './log-blocks.ts';
import type { Search, SearchLimits } from './log-matches.ts';
import type { LogSize } from './log-sizes.ts';
import type { MoveSize } from './objects/move-log.ts';
import type { ComparedPage, ComparedRuns } from './results/compared-runs.ts';
import type { HostNotes } from './results/host-notes.ts';
import type { HostsQuery } from './results/result-pages.ts';
import type { TimelineQuery } from './results/result-timeline.ts';

/** Stores the logs of tasks. An append that has resolved is on disk. Both implementations pass the same tests. */
export interface LogStore {
  appendOutput(batch: OutputBatch): Promise<Appended<Line>>;
  appendResults(batch: ResultsBatch): Promise<Appended<unknown>>;
  /** Closes a log, optionally with a last line after everything stored before. Nothing can be appended afterwards. */
  closeLog(taskId: number, lastLine?: Line): Promise<Appended<Line>>;
  remove(taskIds: readonly number[]): Promise<void>;
  /** Removes the lines of a closed log. Its results stay, in the database: those of a moved log come back first. */
  removeLines(taskId: number): Promise<void>;
  /** Reads the compressed sizes of some logs, wherever they are. At most 500 tasks. */
  sizes(taskIds: readonly number[]): Promise<LogSize[]>;
  head(taskId: number): Promise<LogHead>;
  /** How many lines are stored. Fewer than in the head if another program deleted some. */
  storedLines(taskId: number): Promise<number>;
  /** Pages may end before `limit`, because their size in bytes is limited. */
  lines(taskId: number, from: number, limit: number, bytes?: number): Promise<Line[]>;
  /** Returns the last lines before a number, in order. */
  linesBefore(taskId: number, end: number, limit: number): Promise<Line[]>;
  /** Finds the lines that contain a text. Decodes whole logs, so it belongs to the thread that reads logs. */
  search(taskId: number, search: Search, limits: SearchLimits): Promise<LogMatches>;
  results(taskId: number, from: number, limit: number): Promise<unknown[]>;
  resultSummary(taskId: number): Promise<RunSummary>;
  resultSteps(taskId: number, first: number, limit: number): Promise<RunSteps>;
  resultHosts(taskId: number, query: HostsQuery): Promise<RunHosts>;
  resultFailures(taskId: number, first: number, limit: number): Promise<HostRecords>;
  /** The failures that were not rescued or ignored, in clusters. */
  resultClusters(taskId: number): Promise<ClustersOfRun>;
  /** The hosts of a cluster by name; undefined for an unknown fingerprint. */
  clusterHosts(taskId: number, fingerprint: string, page: HostPage): Promise<FailureHosts | undefined>;
  /** Compares two runs. A run whose log was removed is undefined. */
  compareRuns(earlier: number | undefined, later: number | undefined, page: ComparedPage): Promise<ComparedRuns>;
  /** Compares two logs by step, from a part on. Decodes both, so it belongs to the thread that reads logs. */
  compareLogs(earlier: number, later: number, from: number): Promise<ComparedLogs>;
  /** What the results note about hosts, from a record on. */
  resultNotes(taskId: number, first: number): Promise<HostNotes>;
  /** How long the steps and the slowest hosts took. */
  resultTimes(taskId: number): Promise<RunTimes>;
  /** Where the time of runs goes. Decodes many of them, so it belongs to the thread that reads logs. */
  timesOfRuns(runs: readonly StoredRun[]): Promise<TimesOfRuns>;
  /** Which host worked on which step when. */
  resultTimeline(taskId: number, query: TimelineQuery): Promise<RunTimeline>;
  /** The steps of a run that continues, from a number on. */
  runSoFar(taskId: number, first: number): Promise<RunSoFar>;
  /** Whether a host works on this step, the newest one of a run. */
  isWorkingOn(taskId: number, step: number, host: string): Promise<boolean>;
  /** Undefined for an unknown host. */
  resultsOfHost(
    taskId: number,
    host: number,
    step: number | undefined,
    first: number,
    limit: number,
  ): Promise<HostRecords | undefined>;
  /** Returns the size of the blocks that must still be moved; undefined if there are none, or the log is not closed. */
  moveSize(taskId: number): Promise<MoveSize | undefined>;
  /** Moves a closed log into an object. Resolves with false if the object is not needed. */
  move(taskId: number, name: string): Promise<boolean>;
  /** Aborts the moves in progress, also while the store does not answer. Later moves fail. */
  stopMoves(): Promise<void>;
  /** Ends a move that may have been interrupted. Resolves with whether the log is in the object. */
  endMove(taskId: number, name: string): Promise<boolean>;
  /** Moves a log back into the database. The object remains. */
  moveBack(taskId: number): Promise<void>;
  close(): Promise<void>;
}
