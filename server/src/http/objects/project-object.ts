import type { ErrorMessage, RouteShape } from '@signalbox/contract';
import type { Selectable, Updateable } from 'kysely';
import { changeParams } from '../../audit/changed-fields.ts';
import {
  type ChangeEvent,
  type ChangeParams,
  type ObjectNoun,
  recordDeleted,
  recordObjectEvent,
} from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import type { Referable } from '../../database/queries/same-project.ts';
import type { StateSchema } from '../../database/schema.ts';
import type { Call, Membership } from '../calls/call.ts';
import { notFound } from '../errors/api-error.ts';
import { orInUse, orTaken } from '../errors/taken.ts';

type Row<T extends Referable> = Selectable<StateSchema[T]>;

/** What objects of projects have in common: keys, repositories, inventories and others. */
export interface ObjectKind<T extends Referable> {
  readonly table: T;
  /** Name of the object in codes. */
  readonly code: ObjectNoun;
  readonly name: (row: Row<T>) => string;
  /** The error when another object of the project has this name. */
  readonly taken: (name: string) => ErrorMessage;
  /** The event of a change. Default: the kind `<code>.changed`. */
  readonly changeEvent?: (before: Row<T>, after: Row<T>, params: ChangeParams) => ChangeEvent;
  /** The object as a GET answers it to a caller with these permissions. `If-Match` is compared with it. */
  readonly present: (db: StateReader, row: Row<T>, permissions: number) => unknown;
}

export interface ObjectDeps {
  readonly database: Database;
  readonly clock: Clock;
}

type ObjectCall = Pick<Call<RouteShape>, 'actor' | 'precondition'> & {
  readonly params: { readonly project_id: number };
  readonly membership: Membership;
};

const lockForChange = async <T extends Referable>(
  tx: StateTransaction,
  kind: ObjectKind<T>,
  { params, membership, precondition }: ObjectCall,
  id: number,
): Promise<Row<T>> => {
  const row = await lockRow(tx, kind.table, params.project_id, id);
  if (!row) throw notFound();
  await precondition.check(() => kind.present(tx, row, membership.permissions));
  return row;
};

const named = <T extends Referable>(kind: ObjectKind<T>, row: Row<T>) => {
  const { id, project_id } = row as unknown as { id: number; project_id: number };
  return { id, project_id, name: kind.name(row) };
};

interface ObjectChange<T extends Referable> {
  readonly row: Row<T>;
  readonly values: Updateable<StateSchema[T]>;
  readonly after: Row<T>;
}

const recordChange = <T extends Referable>(
  tx: StateTransaction,
  kind: ObjectKind<T>,
  { row, values, after }: ObjectChange<T>,
  actor: Actor,
  now: Date,
): Promise<void> => {
  const name = kind.name(after);
  const params = { name, ...changeParams(row, values, { name, oldName: kind.name(row) }) };
  const event = kind.changeEvent?.(row, after, params) ?? ({ kind: `${kind.code}.changed`, params } as ChangeEvent);
  return recordObjectEvent(tx, kind.code, named(kind, after), event, actor, now);
};

/**
 * Changes an object of a project. No other transaction changes the object between the check and the last write.
 * @param change returns the columns to write; it may write more in the same transaction
 * @throws not_found, or conflict when `If-Match` does not match or the name is taken
 */
export const changeObject = <T extends Referable>(
  { database, clock }: ObjectDeps,
  kind: ObjectKind<T>,
  call: ObjectCall,
  id: number,
  change: (tx: StateTransaction, row: Row<T>, now: Date) => Promise<Updateable<StateSchema[T]>>,
): Promise<void> => {
  let name = '';
  return orTaken(
    database,
    () => kind.taken(name),
    () =>
      database.write(async (tx) => {
        const row = await lockForChange(tx, kind, call, id);
        const now = clock.now();
        const values = await change(tx, row, now);
        const after = { ...row, ...values } as Row<T>;
        name = kind.name(after);
        await tx
          .updateTable(kind.table as 'view')
          .set(values as Updateable<StateSchema['view']>)
          .where('id', '=', id)
          .execute();
        await recordChange(tx, kind, { row, values, after }, call.actor, now);
      }),
  );
};

/**
 * Deletes an object of a project. The foreign keys of the database decide whether it is in use.
 * @param first runs before, in the same transaction
 * @throws not_found, in_use, or conflict when `If-Match` does not match
 */
export const deleteObject = <T extends Referable>(
  { database, clock }: ObjectDeps,
  kind: ObjectKind<T>,
  call: ObjectCall,
  id: number,
  first: (tx: StateTransaction, row: Row<T>) => Promise<void> = async () => undefined,
): Promise<void> =>
  orInUse(
    database,
    () => ({ code: `in_use.${kind.code}` }),
    () =>
      database.write(async (tx) => {
        const row = await lockForChange(tx, kind, call, id);
        await first(tx, row);
        // Before the deletion, because the object decides who sees the event.
        await recordDeleted(tx, kind.code, named(kind, row), call.actor, clock.now());
        await tx
          .deleteFrom(kind.table as 'view')
          .where('id', '=', id)
          .execute();
      }),
  );
