import { FACTS, type FactName, type FactOperator, type HostState } from '@signalbox/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Capabilities } from '../../../database/dialects/capabilities.ts';
import { rankOf } from './host-state.ts';

/** A condition on a fact of a host. */
export interface FactCondition {
  readonly fact: FactName;
  readonly operator: FactOperator;
  readonly value: string;
}

/** Which hosts a list contains. */
export interface HostFilter {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly template?: number | undefined;
  readonly result?: HostState | undefined;
  /** Only hosts whose last run ended before this time, in milliseconds since 1970, or that have none. */
  readonly before?: number | undefined;
  readonly fact?: FactCondition | undefined;
  readonly vanished?: boolean | undefined;
}

export type Hidden = ReadonlySet<number>;

/** Restricts `host_state` to templates that the caller may see. */
const shownTemplates = (hidden: Hidden) =>
  hidden.size > 0 ? sql`and t.template_id not in (${sql.join([...hidden])})` : sql``;

/** Whether the run of a template in `of` was the last one that reported groups or facts of its host, of those that the caller may see. */
const isNewestReport = (column: 'groups_ended' | 'facts_ended', of: 'g' | 'v', hidden: Hidden) => {
  const [host, template] = [sql.ref(`${of}.host_id`), sql.ref(`${of}.template_id`)];
  const ended = sql.ref(`t.${column}`);
  return sql<SqlBool>`${template} = (select t.template_id from host_state t where t.host_id = ${host}
    and ${ended} is not null ${shownTemplates(hidden)} order by ${ended} desc, t.template_id desc limit 1)`;
};

const isInGroup = (group: string, hidden: Hidden) => sql<SqlBool>`host.id in (select g.host_id from host_group g
  where g.name = ${group} and ${isNewestReport('groups_ended', 'g', hidden)})`;

const COMPARISONS = { is: sql`=`, is_not: sql`<>`, at_least: sql`>=`, at_most: sql`<=` } as const;

const isTrueFor = ({ matches }: Capabilities, { fact, operator, value }: FactCondition): Expression<SqlBool> => {
  if (operator === 'contains') return matches(sql.ref('v.value'), value, 'part');
  const isText = FACTS[fact].kind === 'text';
  return sql<SqlBool>`${sql.ref(isText ? 'v.value' : 'v.number')} ${COMPARISONS[operator]} ${isText ? value : Number(value)}`;
};

/** Whether a fact of a host meets a condition. A host without the fact meets none. */
const hasFact = (capabilities: Capabilities, condition: FactCondition, hidden: Hidden) =>
  sql<SqlBool>`host.id in (select v.host_id from host_fact_value v where v.fact = ${condition.fact}
    and ${isTrueFor(capabilities, condition)} and ${isNewestReport('facts_ended', 'v', hidden)})`;

/** When a host left the last inventory that had it, in milliseconds since 1970; null if it did not, or if this is not known. */
export const vanishedSince = sql<number | null>`(select case when count(i.vanished) = count(*) then max(i.vanished) end
  from host_inventory i where i.host_id = host.id)`;

/** Whether a host has vanished, and no run that the caller may see reached it later. */
const hasVanished = (wanted: boolean, hidden: Hidden) => sql<SqlBool>`coalesce(${vanishedSince} >=
  (select coalesce(max(t.ended), 0) from host_state t where t.host_id = host.id ${shownTemplates(hidden)}), false)
  = ${sql.lit(wanted)}`;

/** The conditions on a host itself. */
export const hostConditions = (
  capabilities: Capabilities,
  { name, group, fact, vanished }: HostFilter,
  hidden: Hidden,
): Expression<SqlBool>[] => [
  ...(name === undefined ? [] : [capabilities.matches(sql.ref('host.host'), name, 'part')]),
  ...(group === undefined ? [] : [isInGroup(group, hidden)]),
  ...(fact === undefined ? [] : [hasFact(capabilities, fact, hidden)]),
  ...(vanished === undefined ? [] : [hasVanished(vanished, hidden)]),
];

/** The conditions on the runs of a host. */
export const stateConditions = ({ result, before }: HostFilter): Expression<SqlBool>[] => [
  ...(result === undefined ? [] : [rankOf(result)]),
  ...(before === undefined ? [] : [sql<SqlBool>`coalesce(max(t.ended), 0) < ${before}`]),
];
