import type { FailureHosts, HostRecords, RunHosts, RunSteps, RunSummary, RunTimeline } from '@signalbox/contract';
import type { Logs } from '../../database/database.ts';
import { type ClustersOfRun, type HostPage, RunClusters } from '../../failures/run-clusters.ts';
import type { RunSoFar, RunTimes } from '../../times/run-times.ts';
import { pack, unpack } from '../block-codec.ts';
import { type ComparedLog, type ComparedLogs, compareLogs } from '../comparison/compared-logs.ts';
import type { GroupCommit } from '../group-commit.ts';
import { readHead } from '../log-blocks.ts';
import { readLines } from '../log-pages.ts';
import type { BlockSource } from '../objects/block-source.ts';
import { type ComparedPage, type ComparedRuns, compareRuns } from './compared-runs.ts';
import { type HostNotes, readNotes } from './host-notes.ts';
import { decodeIndex, encodeIndex } from './index-codec.ts';
import { readRecords, recordsFrom } from './record-blocks.ts';
import { ResultIndex } from './result-index.ts';
import {
  badResults,
  type HostsQuery,
  hostOrder,
  pageOfHosts,
  recordsOfHost,
  stepsOf,
  summaryOf,
} from './result-pages.ts';
import { buildTimeline, pageOfTimeline, type Timeline, type TimelineQuery } from './result-timeline.ts';
import { runSoFar, timesOf } from './result-times.ts';
import { isWorkingOn } from './working-hosts.ts';

/** Maximum total size of the indexes in memory, in bytes. The most recent one is kept whatever its size. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Failures that are read at once to find their clusters. */
const FAILURES = 500;

/** Building the index of a run with fewer results is faster than reading it. */
const STORE_FROM = 2_000;

interface Kept {
  readonly index: ResultIndex;
  isStored: boolean;
  /** Built when they are read for the first time. */
  clusters: RunClusters | undefined;
  /** The most recent order of hosts, with the query that it belongs to. */
  order: { readonly by: string; readonly numbers: readonly number[] } | undefined;
  timeline?: Timeline;
}

const bytesOf = ({ index, clusters, timeline }: Kept): number =>
  index.bytes + (clusters?.bytes ?? 0) + (timeline?.bytes ?? 0);

/**
 * Answers pages of results without reading all of them. Uses an index that grows with the records. It is kept in
 * memory for runs that are being viewed, and stored when a long run has ended.
 */
export class ResultReader {
  readonly #source: BlockSource;
  readonly #db: Logs;
  readonly #writes: GroupCommit;
  readonly #onError: (error: unknown) => void;
  /** In order of their last use. */
  readonly #kept = new Map<number, Kept>();
  readonly #mutexes = new Map<number, Promise<Kept>>();

  /** @param onError called when an index could not be stored; pages are answered anyway */
  constructor(source: BlockSource, writes: GroupCommit, onError: (error: unknown) => void) {
    this.#source = source;
    this.#db = source.db;
    this.#writes = writes;
    this.#onError = onError;
  }

  async summary(taskId: number): Promise<RunSummary> {
    return summaryOf((await this.#of(taskId)).index);
  }

  async steps(taskId: number, first: number, limit: number): Promise<RunSteps> {
    return stepsOf((await this.#of(taskId)).index, first, limit);
  }

  async hosts(taskId: number, query: HostsQuery): Promise<RunHosts> {
    const kept = await this.#of(taskId);
    const { index } = kept;
    const by = JSON.stringify([index.next, query.sort, query.order, query.outcome, query.name, query.after]);
    if (kept.order?.by !== by) kept.order = { by, numbers: hostOrder(index, query) };
    const { numbers } = kept.order;
    return { first: query.first, total: numbers.length, hosts: pageOfHosts(index, numbers, query) };
  }

  async failures(taskId: number, first: number, limit: number): Promise<HostRecords> {
    const bad = badResults((await this.#of(taskId)).index);
    const numbers = bad.slice(first - 1, first - 1 + limit).map(({ record }) => record);
    return { first, total: bad.length, records: await readRecords(this.#source, taskId, numbers) };
  }

  async clusters(taskId: number): Promise<ClustersOfRun> {
    return (await this.#clustersOf(taskId)).summary;
  }

  /** Undefined for an unknown fingerprint. */
  async hostsOfCluster(taskId: number, fingerprint: string, page: HostPage): Promise<FailureHosts | undefined> {
    return (await this.#clustersOf(taskId)).hostsOf(fingerprint, page);
  }

  async notes(taskId: number, first: number): Promise<HostNotes> {
    return await readNotes(this.#source, (await this.#of(taskId)).index, taskId, first);
  }

  async times(taskId: number): Promise<RunTimes> {
    return await timesOf((await this.#of(taskId)).index);
  }

  async timeline(taskId: number, query: TimelineQuery): Promise<RunTimeline> {
    const kept = await this.#of(taskId, async (kept) => {
      if (kept.timeline?.next !== kept.index.next) kept.timeline = await buildTimeline(kept.index);
    });
    return pageOfTimeline(kept.index, kept.timeline as Timeline, query);
  }

  async soFar(taskId: number, first: number): Promise<RunSoFar> {
    return runSoFar((await this.#of(taskId)).index, first);
  }

  async isWorkingOn(taskId: number, step: number, host: string): Promise<boolean> {
    return isWorkingOn((await this.#of(taskId)).index, step, host);
  }

  /** Undefined for an unknown host. */
  async ofHost(
    taskId: number,
    host: number,
    step: number | undefined,
    first: number,
    limit: number,
  ): Promise<HostRecords | undefined> {
    const numbers = recordsOfHost((await this.#of(taskId)).index, host, step);
    if (!numbers) return undefined;
    const records = await readRecords(this.#source, taskId, numbers.slice(first - 1, first - 1 + limit));
    return { first, total: numbers.length, records };
  }

  /** A run whose log was removed is undefined. */
  async compare(earlier: number | undefined, later: number | undefined, page: ComparedPage): Promise<ComparedRuns> {
    const indexOf = async (taskId: number | undefined) =>
      taskId === undefined ? undefined : (await this.#of(taskId)).index;
    return compareRuns(await indexOf(earlier), await indexOf(later), page);
  }

  /** Compares two logs by step, from a part on. */
  async compareLogs(earlier: number, later: number, from: number): Promise<ComparedLogs> {
    const open = async (taskId: number): Promise<ComparedLog> => ({
      index: (await this.#of(taskId)).index,
      total: (await readHead(this.#db, taskId)).next_line - 1,
      read: async (first, limit) => (await readLines(this.#source, taskId, first, limit)).map(([, text]) => text),
    });
    return await compareLogs(await open(earlier), await open(later), from);
  }

  evict(taskIds: readonly number[]): void {
    for (const id of taskIds) this.#kept.delete(id);
  }

  /**
   * Returns the index of everything stored so far. Calls for one run wait for each other, so that records are read
   * once.
   */
  #of(taskId: number, then: (kept: Kept) => Promise<void> = async () => undefined): Promise<Kept> {
    const catchUp = async (): Promise<Kept> => {
      const kept = await this.#catchUp(taskId);
      await then(kept);
      return kept;
    };
    const before = this.#mutexes.get(taskId);
    const previous = (before ?? Promise.resolve()).then(catchUp, catchUp);
    this.#mutexes.set(taskId, previous);
    const leave = (): void => {
      if (this.#mutexes.get(taskId) === previous) this.#mutexes.delete(taskId);
    };
    previous.then(leave, leave);
    return previous;
  }

  /** Adds the failures since the last call to the clusters of a run, and returns them. */
  async #clustersOf(taskId: number): Promise<RunClusters> {
    const kept = await this.#of(taskId, async (kept) => {
      kept.clusters ??= new RunClusters();
      const { clusters, index } = kept;
      while (clusters.taken < index.bad.length) {
        const bad = index.bad.slice(clusters.taken, clusters.taken + FAILURES);
        const numbers = bad.map(({ record }) => record);
        for (const record of await readRecords(this.#source, taskId, numbers, Number.POSITIVE_INFINITY))
          clusters.take(record, index.steps[index.positionOf(record.step) ?? -1]);
        clusters.taken += bad.length;
        await new Promise(setImmediate);
      }
    });
    return kept.clusters as RunClusters;
  }

  async #catchUp(taskId: number): Promise<Kept> {
    const { closed, next_result } = await readHead(this.#db, taskId);
    const kept = this.#kept.get(taskId) ?? (await this.#load(taskId, closed));
    if (kept.index.next < next_result) {
      for await (const records of recordsFrom(this.#source, taskId, kept.index.next)) {
        for (const record of records) kept.index.take(record);
        // Lets writes of runs go first.
        await new Promise(setImmediate);
      }
    }
    this.#keep(taskId, kept);
    if (closed && !kept.isStored) await this.#tryToStore(taskId, kept);
    return kept;
  }

  async #load(taskId: number, isClosed: boolean): Promise<Kept> {
    if (isClosed) {
      const row = await this.#db
        .selectFrom('log_block')
        .select('data')
        .where('task_id', '=', taskId)
        .where('stream', '=', 'index')
        .executeTakeFirst();
      const index = row && decodeIndex(unpack(row.data));
      if (index) return { index, isStored: true, clusters: undefined, order: undefined };
    }
    return { index: new ResultIndex(), isStored: false, clusters: undefined, order: undefined };
  }

  /** Errors do not affect the answer, which comes from memory. A missing index is built again. */
  async #tryToStore(taskId: number, kept: Kept): Promise<void> {
    // Only one attempt, so that a failure does not delay every later page.
    kept.isStored = true;
    await this.#store(taskId, kept).catch((error: unknown) => this.#onError(error));
  }

  async #store(taskId: number, kept: Kept): Promise<void> {
    if (kept.index.next < STORE_FROM) return;
    const data = await pack(encodeIndex(kept.index));
    await this.#writes.write([taskId], async (tx) => {
      const head = await readHead(tx, taskId);
      // The log may have been removed meanwhile.
      if (!head.closed) return;
      const row = { task_id: taskId, stream: 'index', first: 1, count: 1, kind: 'packed', data } as const;
      await tx
        .insertInto('log_block')
        .values(row)
        .onConflict((oc) => oc.columns(['task_id', 'stream', 'first']).doUpdateSet({ data: row.data as never }))
        .execute();
    });
  }

  #keep(taskId: number, kept: Kept): void {
    this.#kept.delete(taskId);
    this.#kept.set(taskId, kept);
    let bytes = 0;
    for (const kept of this.#kept.values()) bytes += bytesOf(kept);
    for (const [id, kept] of this.#kept) {
      if (bytes <= CACHE_BYTES || id === taskId) return;
      bytes -= bytesOf(kept);
      this.#kept.delete(id);
    }
  }
}
