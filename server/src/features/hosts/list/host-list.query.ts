import type { HostOrder } from '@signalbox/contract';
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type { StateSchema } from '../../../database/schema.ts';
import { type Hidden, type HostFilter, hostConditions, stateConditions } from './host-filter.ts';
import { failedCount, templateCount, worstRank } from './host-state.ts';

export interface HostList {
  readonly projectId: number;
  readonly first: number;
  readonly limit: number;
  readonly sort: HostOrder;
  readonly order: 'asc' | 'desc';
  readonly filter: HostFilter;
  /** Templates of which nothing may be shown, counted or sorted by. */
  readonly hidden: Hidden;
}

/** One host of a page, as far as the list sorts by it. Times are in milliseconds since 1970. */
export interface RankedHost {
  readonly id: number;
  readonly rank: number;
  readonly templates: number;
  readonly failed: number;
  readonly ended: number | null;
}

const eb = expressionBuilder<StateSchema>();

/** Hosts with the templates that count for the caller: of one row for each template, whose columns are all in one index. */
const hostsOf = ({ readApart: db, capabilities }: Database, { projectId, filter, hidden }: HostList) => {
  const conditions = hostConditions(capabilities, filter, hidden);
  const having = stateConditions(filter);
  // Whether a hidden template ran on a host is not shown either, so a host without a visible one is left out.
  const isInner = filter.template !== undefined || hidden.size > 0;
  return db
    .selectFrom('host')
    .leftJoin('host_state as t', (join) => {
      let on = join.onRef('t.host_id', '=', 'host.id');
      if (filter.template !== undefined) on = on.on('t.template_id', '=', filter.template);
      if (hidden.size > 0) on = on.on('t.template_id', 'not in', [...hidden]);
      return on;
    })
    .where('host.project_id', '=', projectId)
    .$if(isInner, (query) => query.where('t.host_id', 'is not', null))
    .$if(conditions.length > 0, (query) => query.where(eb.and(conditions)))
    .groupBy('host.host')
    .$if(having.length > 0, (query) => query.having(eb.and(having)));
};

/** What the hosts are sorted by. Hosts without a run are the oldest. */
const sortKey = (sort: HostOrder, hidden: Hidden): RawBuilder<unknown> => {
  switch (sort) {
    case 'host':
      return sql`host.host`;
    case 'trouble':
      return worstRank;
    case 'last_run':
      return sql`coalesce(max(t.ended), 0)`;
    default:
      // The history of a host is older than that of its templates, but contains runs of hidden ones.
      return hidden.size > 0
        ? sql`coalesce(max(${sql.ref(`t.${sort}`)}), 0)`
        : sql`coalesce(min(${sql.ref(`host.${sort}`)}), '')`;
  }
};

/** Whether it does not depend on the runs of a host whether it is in the list. */
const isOfHostsAlone = ({ filter, hidden }: HostList): boolean =>
  filter.template === undefined && hidden.size === 0 && stateConditions(filter).length === 0;

/** The hosts of a list without their runs, which is many times as fast as with them. */
const hostsAlone = ({ readApart: db, capabilities }: Database, { projectId, filter, hidden }: HostList) => {
  const conditions = hostConditions(capabilities, filter, hidden);
  return db
    .selectFrom('host')
    .select('host.id')
    .where('host.project_id', '=', projectId)
    .$if(conditions.length > 0, (query) => query.where(eb.and(conditions)));
};

const countOf = (database: Database, list: HostList) => {
  const found = isOfHostsAlone(list)
    ? hostsAlone(database, list)
    : hostsOf(database, list).select((one) => one.fn.min('host.id').as('id'));
  return database.readApart.selectFrom(found.as('found')).select((one) => one.fn.countAll().as('total'));
};

/** Finds the page without the runs of all hosts; undefined if filter or order depend on runs. */
const idsOfPage = async (database: Database, list: HostList): Promise<number[] | undefined> => {
  const { sort, order, limit, first } = list;
  if (!isOfHostsAlone(list) || sort === 'trouble' || sort === 'last_run') return undefined;
  const rows = await hostsAlone(database, list)
    .$if(sort !== 'host', (query) => query.orderBy(sql`coalesce(${sql.ref(`host.${sort}`)}, '')`, order))
    .orderBy('host.host', sort === 'host' ? order : 'asc')
    .limit(limit)
    .offset(first - 1)
    .execute();
  return rows.map(({ id }) => id);
};

/** A page of hosts, and how many match. */
export const pageOfHosts = async (
  database: Database,
  list: HostList,
): Promise<{ readonly total: number; readonly page: readonly RankedHost[] }> => {
  const ids = await idsOfPage(database, list);
  const { total } = await countOf(database, list).executeTakeFirstOrThrow();
  if (ids?.length === 0) return { total: Number(total), page: [] };
  const rows = await hostsOf(database, list)
    .$if(ids !== undefined, (query) => query.where('host.id', 'in', [...(ids ?? [])]))
    .select((one) => one.fn.min('host.id').as('id'))
    .select([worstRank.as('rank'), templateCount.as('templates'), failedCount.as('failed')])
    .select((one) => one.fn.max('t.ended').as('ended'))
    .orderBy(sortKey(list.sort, list.hidden), list.order)
    .$if(list.sort === 'trouble', (query) =>
      query.orderBy(sql`coalesce(max(t.ended), 0)` as Expression<number>, 'desc'),
    )
    .orderBy('host.host')
    .limit(list.limit)
    .offset(ids === undefined ? list.first - 1 : 0)
    .execute();
  const page = rows.map(({ id, rank, templates, failed, ended }) => ({
    ...{ id, rank: Number(rank), templates: Number(templates), failed: Number(failed) },
    ended: ended === null ? null : Number(ended),
  }));
  return { total: Number(total), page };
};
