import type { HostRunOutcome, HostState } from '@signalbox/contract';
import { type SqlBool, sql } from 'kysely';

/** Outcomes from harmless to bad, by their rank. A host is as bad as its worst template. */
const RANKS: readonly HostRunOutcome[] = ['ok', 'stopped', 'changed', 'failed', 'unreachable'];
const FAILED = RANKS.indexOf('failed') + 1;

/** The rank of the last outcome of each template, from 1. */
const rank = sql<number>`case t.outcome ${sql.join(
  RANKS.map((outcome, at) => sql`when ${sql.lit(outcome)} then ${sql.lit(at + 1)}`),
  sql` `,
)} end`;

/** The worst rank of the templates on a host; 0 without a run. */
export const worstRank = sql<number>`coalesce(max(${rank}), 0)`;

export const templateCount = sql<number>`count(t.template_id)`;
export const failedCount = sql<number>`coalesce(sum(case when ${rank} >= ${sql.lit(FAILED)} then 1 else 0 end), 0)`;

export const outcomeOfRank = (found: number): HostRunOutcome | null => RANKS[found - 1] ?? null;

/** Whether a host has a state. `trouble` is both kinds of failures. */
export const rankOf = (state: HostState) =>
  state === 'trouble'
    ? sql<SqlBool>`${worstRank} >= ${sql.lit(FAILED)}`
    : sql<SqlBool>`${worstRank} = ${sql.lit(RANKS.indexOf(state) + 1)}`;
