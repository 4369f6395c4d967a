import { MAX_SEARCHED_LINES } from '@signalbox/contract';
import type { Handlers } from '../../http/calls/call.ts';
import { plainText } from '../../logs/plain-text.ts';
import type { OpenLog } from './task-log.ts';

/** Lines per read. Other requests are handled after each read. */
const CHUNK_LINES = 5000;
const CHUNK_BYTES = 1024 * 1024;

/** Matches a literal text, case-insensitive. */
const matcherOf = (text: string): RegExp => new RegExp(RegExp.escape(text), 'iu');

export const taskSearchRoutes = (openLog: OpenLog): Pick<Handlers, 'searchTaskLines'> => ({
  searchTaskLines: async ({ params, query }) => {
    const log = await openLog(params.project_id, params.task_id);
    const total = (await log.head(params.task_id)).next_line - 1;
    const from = query.from ?? 1;
    if (query.text === '') return { lines: [], next: Math.max(from, total + 1), total };
    const end = Math.min(total, from + MAX_SEARCHED_LINES - 1);
    const matcher = matcherOf(query.text);
    const found: number[] = [];
    let next = from;
    while (next <= end) {
      const lines = await log.lines(params.task_id, next, Math.min(CHUNK_LINES, end - next + 1), CHUNK_BYTES);
      if (lines.length === 0) break;
      lines.forEach(([, text], at) => {
        if (matcher.test(plainText(text))) found.push(next + at);
      });
      next += lines.length;
    }
    return { lines: found, next, total };
  },
});
