import type { Fixed, Flag } from './column-types.ts';

/** State of a task's log, readable without the log itself. */
export interface LogHeadTable {
  task_id: Fixed<number>;
  epoch: number;
  next_line: number;
  /** Number of bytes of raw output that the stored lines came from. */
  offset: number;
  next_result: number;
  /** Bytes of text in blocks that are not packed yet. */
  loose_bytes: number;
  /** Bytes of results in blocks that are not packed yet. */
  loose_results: number;
  /** Whether the log is closed. Renaming the column would copy the whole file of logs. */
  sealed: Flag;
}

/**
 * Lines of a log (stream `output`) or results (stream `results`), addressed by the number of the first one; or the
 * index of the results (stream `index`) of a long run that has ended; or the name of the object in the log store to
 * which the log was moved (stream `object`).
 */
export interface LogBlockTable {
  task_id: Fixed<number>;
  stream: Fixed<'output' | 'results' | 'index' | 'object'>;
  first: Fixed<number>;
  count: Fixed<number>;
  /**
   * `loose` blocks are stored as received; a `packed` block contains many of them, compressed. The data of a `moved`
   * block is where its bytes are in the object. An object is `writing` until all blocks refer to it, then `written`.
   */
  kind: Fixed<'loose' | 'packed' | 'moved' | 'writing' | 'written'>;
  data: Fixed<Uint8Array>;
}
