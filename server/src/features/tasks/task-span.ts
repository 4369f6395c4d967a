import type { StateReader } from '../../database/database.ts';

interface Span {
  readonly projectId: number;
  /** Tasks created at this moment or later, and before the other one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The clocks of servers may differ, so the order of times differs a little from that of ids. In milliseconds. */
const TOLERANCE_MS = 3_600_000;

const moved = (moment: string, by: number): string => new Date(Date.parse(moment) + by).toISOString();

const atEnd = (db: StateReader, { projectId, from, to }: Span, order: 'asc' | 'desc') =>
  db
    .selectFrom('task')
    .select('id')
    .where('project_id', '=', projectId)
    .$if(from !== undefined, (query) => query.where('created', '>=', moved(from ?? '', -TOLERANCE_MS)))
    .$if(to !== undefined, (query) => query.where('created', '<', moved(to ?? '', TOLERANCE_MS)))
    .orderBy('created', order)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst();

/**
 * The ids between which the tasks of a time span are, and a few others. Lists with any filter can then use the index
 * that ends with the id.
 */
export const idsOfSpan = async (db: StateReader, span: Span) => {
  const [oldest, newest] = [await atEnd(db, span, 'asc'), await atEnd(db, span, 'desc')];
  return { first: oldest?.id, last: newest?.id };
};
