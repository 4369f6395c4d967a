import { FACT_NAMES, type HostFactValues } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';

type ByHost<T> = ReadonlyMap<number, T>;

/** A fact as the list of hosts filters by it. */
type Value = readonly [fact: (typeof FACT_NAMES)[number], value: string, number: number | null];

const valuesOf = (facts: HostFactValues): Value[] =>
  FACT_NAMES.flatMap((fact): Value[] => {
    const value = facts[fact];
    return value === undefined ? [] : [[fact, String(value), typeof value === 'number' ? value : null]];
  });

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());

/** Hosts whose stored values differ from those of now. */
const differing = <T>(stored: ByHost<readonly unknown[]>, now: ByHost<T>, keysOf: (value: T) => readonly unknown[]) =>
  [...now].filter(([host, value]) => !isSame(stored.get(host) ?? [], keysOf(value)));

/** Notes that a run reported groups or facts, unless a later one did. */
const noteReport = async (
  tx: StateTransaction,
  column: 'groups_ended' | 'facts_ended',
  templateId: number,
  ended: number,
  hosts: readonly number[],
): Promise<void> => {
  await tx
    .updateTable('host_state')
    .set({ [column]: ended })
    .where('template_id', '=', templateId)
    .where('host_id', 'in', [...hosts])
    .where((eb) => eb.or([eb(column, 'is', null), eb(column, '<', ended)]))
    .execute();
};

/** Replaces the groups of at most 200 hosts after a run of a template that ended at a time. */
export const writeGroupNames = async (
  tx: StateTransaction,
  templateId: number,
  ended: number,
  groups: ByHost<readonly string[]>,
): Promise<void> => {
  if (groups.size === 0) return;
  await noteReport(tx, 'groups_ended', templateId, ended, [...groups.keys()]);
  const rows = await tx
    .selectFrom('host_group')
    .select(['host_id', 'name'])
    .where('template_id', '=', templateId)
    .where('host_id', 'in', [...groups.keys()])
    .execute();
  const stored = new Map(
    [...Map.groupBy(rows, ({ host_id }) => host_id)].map(([host, own]) => [host, own.map(({ name }) => name)]),
  );
  for (const [host_id, names] of differing(stored, groups, (own) => own)) {
    await tx.deleteFrom('host_group').where('host_id', '=', host_id).where('template_id', '=', templateId).execute();
    const values = [...new Set(names)].map((name) => ({ host_id, template_id: templateId, name }));
    if (values.length > 0) await tx.insertInto('host_group').values(values).execute();
  }
};

/** Replaces the values of the facts of at most 200 hosts after a run of a template that ended at a time. */
export const writeFactValues = async (
  tx: StateTransaction,
  templateId: number,
  ended: number,
  facts: ByHost<HostFactValues>,
): Promise<void> => {
  if (facts.size === 0) return;
  const hosts = [...facts.keys()];
  await noteReport(tx, 'facts_ended', templateId, ended, hosts);
  const rows = await tx
    .selectFrom('host_fact_value')
    .select(['host_id', 'fact', 'value'])
    .where('template_id', '=', templateId)
    .where('host_id', 'in', hosts)
    .execute();
  const stored = new Map(
    [...Map.groupBy(rows, ({ host_id }) => host_id)].map(([host, own]) => [
      host,
      own.map(({ fact, value }) => `${fact}=${value}`),
    ]),
  );
  const keysOf = (own: HostFactValues) => valuesOf(own).map(([fact, value]) => `${fact}=${value}`);
  for (const [host_id, own] of differing(stored, facts, keysOf)) {
    await tx
      .deleteFrom('host_fact_value')
      .where('host_id', '=', host_id)
      .where('template_id', '=', templateId)
      .execute();
    const values = valuesOf(own).map(([fact, value, number]) => ({
      host_id,
      template_id: templateId,
      fact,
      value,
      number,
    }));
    if (values.length > 0) await tx.insertInto('host_fact_value').values(values).execute();
  }
};
