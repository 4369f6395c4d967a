import type { HostRecords, RunHosts, RunSteps, RunSummary } from '@signalbox/contract';
import type { Logs } from '../../database/database.ts';
import { pack, unpack } from '../block-codec.ts';
import type { GroupCommit } from '../group-commit.ts';
import { readHead } from '../log-blocks.ts';
import { decodeIndex, encodeIndex } from './index-codec.ts';
import { readRecords, recordsFrom } from './record-blocks.ts';
import { ResultIndex } from './result-index.ts';
import {
  badResults,
  type HostsQuestion,
  orderOfHosts,
  pageOfHosts,
  recordsOfHost,
  stepsOf,
  summaryOf,
} from './result-pages.ts';

/** Indexes kept in memory together, in bytes; the one that was asked for last is kept whatever its size. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** The index of a run with fewer results is quicker built than read. */
const STORE_FROM = 2_000;

interface Kept {
  readonly index: ResultIndex;
  isStored: boolean;
  /** The last order of hosts that was asked for, with what it was asked by. */
  order: { readonly by: string; readonly numbers: readonly number[] } | undefined;
}

/**
 * Answers pages of the results of runs without going through all of them: by an index that grows with the records, is
 * kept in memory for the runs that are looked at, and is stored beside the records when a long run has ended.
 */
export class ResultReader {
  readonly #db: Logs;
  readonly #writes: GroupCommit;
  readonly #onFault: (fault: unknown) => void;
  /** The one that was used last is the last one. */
  readonly #kept = new Map<number, Kept>();
  readonly #turns = new Map<number, Promise<Kept>>();

  /** @param onFault hears why an index could not be stored: its questions are answered all the same */
  constructor(db: Logs, writes: GroupCommit, onFault: (fault: unknown) => void) {
    this.#db = db;
    this.#writes = writes;
    this.#onFault = onFault;
  }

  async summary(taskId: number): Promise<RunSummary> {
    return summaryOf((await this.#of(taskId)).index);
  }

  async steps(taskId: number, first: number, limit: number): Promise<RunSteps> {
    return stepsOf((await this.#of(taskId)).index, first, limit);
  }

  async hosts(taskId: number, question: HostsQuestion): Promise<RunHosts> {
    const kept = await this.#of(taskId);
    const { index } = kept;
    const by = JSON.stringify([index.next, question.sort, question.order, question.outcome, question.name]);
    if (kept.order?.by !== by) kept.order = { by, numbers: orderOfHosts(index, question) };
    const { numbers } = kept.order;
    return { first: question.first, total: numbers.length, hosts: pageOfHosts(index, numbers, question) };
  }

  async failures(taskId: number, first: number, limit: number): Promise<HostRecords> {
    const bad = badResults((await this.#of(taskId)).index);
    const numbers = bad.slice(first - 1, first - 1 + limit).map(({ record }) => record);
    return { first, total: bad.length, records: await readRecords(this.#db, taskId, numbers) };
  }

  /** Undefined for a host that the run does not know. */
  async ofHost(
    taskId: number,
    host: number,
    step: number | undefined,
    first: number,
    limit: number,
  ): Promise<HostRecords | undefined> {
    const numbers = recordsOfHost((await this.#of(taskId)).index, host, step);
    if (!numbers) return undefined;
    const records = await readRecords(this.#db, taskId, numbers.slice(first - 1, first - 1 + limit));
    return { first, total: numbers.length, records };
  }

  forget(taskIds: readonly number[]): void {
    for (const id of taskIds) this.#kept.delete(id);
  }

  /** The index with all that is stored by now; questions about one run wait for each other, so that it is read once. */
  #of(taskId: number): Promise<Kept> {
    const before = this.#turns.get(taskId);
    const turn = (before ?? Promise.resolve()).then(
      () => this.#catchUp(taskId),
      () => this.#catchUp(taskId),
    );
    this.#turns.set(taskId, turn);
    const leave = (): void => {
      if (this.#turns.get(taskId) === turn) this.#turns.delete(taskId);
    };
    turn.then(leave, leave);
    return turn;
  }

  async #catchUp(taskId: number): Promise<Kept> {
    const { sealed, next_result } = await readHead(this.#db, taskId);
    const kept = this.#kept.get(taskId) ?? (await this.#load(taskId, sealed));
    if (kept.index.next < next_result) {
      for await (const records of recordsFrom(this.#db, taskId, kept.index.next)) {
        for (const record of records) kept.index.take(record);
        // What runs write goes before what people read.
        await new Promise(setImmediate);
      }
    }
    this.#keep(taskId, kept);
    if (sealed && !kept.isStored) await this.#tryToStore(taskId, kept);
    return kept;
  }

  async #load(taskId: number, isSealed: boolean): Promise<Kept> {
    if (isSealed) {
      const row = await this.#db
        .selectFrom('log_block')
        .select('data')
        .where('task_id', '=', taskId)
        .where('stream', '=', 'index')
        .executeTakeFirst();
      const index = row && decodeIndex(unpack(row.data));
      if (index) return { index, isStored: true, order: undefined };
    }
    return { index: new ResultIndex(), isStored: false, order: undefined };
  }

  /** Whoever asked is answered from memory whatever happens here: without what is stored, it is built anew. */
  async #tryToStore(taskId: number, kept: Kept): Promise<void> {
    // Once, also where it fails: the next question must not wait for the same again.
    kept.isStored = true;
    await this.#store(taskId, kept).catch((fault: unknown) => this.#onFault(fault));
  }

  async #store(taskId: number, kept: Kept): Promise<void> {
    if (kept.index.next < STORE_FROM) return;
    const data = await pack(encodeIndex(kept.index));
    await this.#writes.write([taskId], async (tx) => {
      const head = await readHead(tx, taskId);
      // It may have been removed meanwhile.
      if (!head.sealed) return;
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
    for (const { index } of this.#kept.values()) bytes += index.bytes;
    for (const [id, { index }] of this.#kept) {
      if (bytes <= CACHE_BYTES || id === taskId) return;
      bytes -= index.bytes;
      this.#kept.delete(id);
    }
  }
}
