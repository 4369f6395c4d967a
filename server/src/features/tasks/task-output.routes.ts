import { Readable } from 'node:stream';
import type { LogLines, Results } from '@signalbox/contract';
import type { Handlers } from '../../http/calls/call.ts';
import type { Line } from '../../logs/block-codec.ts';
import { rawText } from '../../logs/plain-text.ts';
import type { OpenLog, ReadableLog } from './task-log.ts';

/** Lines per read when a whole log is streamed, so that memory use stays constant. */
const CHUNK_LINES = 2000;
const CHUNK_BYTES = 1024 * 1024;
const DEFAULT_LINES = 1000;
const DEFAULT_RESULTS = 2000;

/** Buffers one piece instead of the default of 16, because a piece may be large. */
const streamOf = (parts: AsyncIterable<string>): Readable => Readable.from(parts, { highWaterMark: 1 });

const incomplete = (missing: number): string =>
  `The log is incomplete: ${missing} of its lines ${missing === 1 ? 'is' : 'are'} no longer stored.`;

/** Reads the first piece, so that a log which cannot be read is refused before the answer begins. */
const begun = async (parts: AsyncGenerator<string>): Promise<AsyncIterable<string>> => {
  const first = await parts.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
};

type OutputRoutes = 'getTaskLines' | 'getTaskRecords' | 'getTaskText' | 'getTaskResults';

export const taskOutputRoutes = (openLog: OpenLog): Pick<Handlers, OutputRoutes> => {
  /**
   * The log in pieces, each read when the consumer wants it. Ends with a line about missing lines, if there are any. A removed log is a
   * line about that.
   */
  async function* pieces(
    log: ReadableLog,
    taskId: number,
    write: (line: Line, number: number) => string,
  ): AsyncGenerator<string> {
    const { next_line } = await log.head(taskId);
    for (let next = 1; next < next_line; ) {
      const first = next;
      const lines = await log.lines(taskId, first, Math.min(CHUNK_LINES, next_line - first), CHUNK_BYTES);
      // The log was removed during the download.
      if (lines.length === 0) break;
      yield lines.map((line, index) => write(line, first + index)).join('');
      next += lines.length;
    }
    if (log.removed !== undefined) yield write([Date.now(), log.removed, 'server'], 1);
    const missing = await log.missing();
    if (missing > 0) yield write([Date.now(), incomplete(missing), 'server'], next_line);
  }

  return {
    getTaskLines: async ({ params, query }) => {
      const log = await openLog(params.project_id, params.task_id);
      const head = await log.head(params.task_id);
      const total = head.next_line - 1;
      const limit = query.limit ?? DEFAULT_LINES;
      const lines = (await (query.from === undefined
        ? log.linesBefore(params.task_id, head.next_line, limit)
        : log.lines(params.task_id, query.from, limit))) as LogLines['lines'];
      const first = query.from ?? head.next_line - lines.length;
      return { first, total, sealed: head.closed, missing: await log.missing(), lines };
    },

    getTaskRecords: async ({ params }) => {
      const log = await openLog(params.project_id, params.task_id);
      const record = ([time, output, source]: Line, id: number): string =>
        `${id === 1 ? '' : ','}${JSON.stringify({
          id,
          task_id: params.task_id,
          project_id: params.project_id,
          time: new Date(time).toISOString(),
          output,
          source: source ?? 'output',
        })}`;
      const records = await begun(pieces(log, params.task_id, record));
      async function* array(): AsyncGenerator<string> {
        yield '[';
        yield* records;
        yield ']';
      }
      return { stream: streamOf(array()) };
    },

    getTaskText: async ({ params }) => {
      const log = await openLog(params.project_id, params.task_id);
      return {
        stream: streamOf(await begun(pieces(log, params.task_id, (line) => `${rawText(line)}\n`))),
        headers: { 'content-disposition': `inline; filename="task-${params.task_id}.log"` },
      };
    },

    getTaskResults: async ({ params, query }) => {
      const log = await openLog(params.project_id, params.task_id);
      const head = await log.head(params.task_id);
      const first = query.from ?? 1;
      const records = (await log.results(params.task_id, first, query.limit ?? DEFAULT_RESULTS)) as Results['records'];
      return { first, total: head.next_result - 1, records };
    },
  };
};
