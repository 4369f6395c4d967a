import { type Selectable, sql } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { EventTable } from '../../database/event.schema.ts';
import { readEvent } from '../read-event.ts';
import type { EventInput } from '../record-event.ts';

/** What an entry stores. The English text is made when the entry is sent. */
interface Stored {
  readonly time: string;
  readonly user_id: number | null;
  readonly address: string;
  readonly token_id: number | null;
  readonly token_name: string;
  readonly project_id: number | null;
  readonly object_type: string;
  readonly object_id: number | null;
  readonly object_name: string;
  readonly kind: string;
  readonly params: object;
}

/** An event of the table as an entry. */
const storedRow = ({ created, params, ...row }: Selectable<EventTable>): Stored => ({
  time: created,
  ...{ user_id: row.user_id, address: row.address, token_id: row.token_id, token_name: row.token_name },
  ...{ project_id: row.project_id, object_type: row.object_type, object_id: row.object_id },
  ...{ object_name: row.object_name, kind: row.kind, params: JSON.parse(params) as object },
});

const storedOf = ({ actor, at, ...input }: EventInput): Stored => ({
  time: at.toISOString(),
  ...{ user_id: actor.userId, address: actor.address },
  ...{ token_id: actor.token?.id ?? null, token_name: actor.token?.name ?? '' },
  ...{ project_id: input.projectId, object_type: input.objectType },
  ...{ object_id: input.objectId, object_name: input.objectName },
  ...{ kind: input.kind, params: input.params },
});

/** Queues an entry for every destination. Does nothing without destinations. */
const queue = async (tx: StateTransaction, eventId: number, stored: Stored): Promise<void> => {
  await tx
    .insertInto('audit_entry')
    .columns(['destination', 'event_id', 'entry', 'username', 'project_name'])
    .expression((eb) =>
      eb
        .selectFrom('audit_destination')
        .leftJoin('users', (join) => join.on('users.id', '=', stored.user_id))
        .leftJoin('project', (join) => join.on('project.id', '=', stored.project_id))
        .select((of) => [
          'audit_destination.name',
          sql<number>`cast(${eventId} as integer)`.as('event_id'),
          sql<string>`cast(${JSON.stringify(stored)} as text)`.as('entry'),
          of.fn.coalesce('users.username', of.val('')).as('username'),
          of.fn.coalesce('project.name', of.val('')).as('project_name'),
        ]),
    )
    .execute();
};

/** Queues an event in its transaction. */
export const queueAuditEntry = (tx: StateTransaction, eventId: number, input: EventInput): Promise<void> =>
  queue(tx, eventId, storedOf(input));

/** Queues the new state of a stored event that has changed. It replaces the queued entry, unless that was sent. */
export const replaceAuditEntry = async (tx: StateTransaction, eventId: number): Promise<void> => {
  await tx.deleteFrom('audit_entry').where('event_id', '=', eventId).execute();
  const row = await tx.selectFrom('event').selectAll().where('id', '=', eventId).executeTakeFirst();
  if (row) await queue(tx, eventId, storedRow(row));
};

export interface AuditRow {
  readonly event_id: number;
  readonly entry: string;
  readonly username: string;
  readonly project_name: string;
}

/** Verbs of events that a user or a command causes, such as an import. */
const OF_USERS = /\.(?:created|changed|paused|resumed|changed_and_paused|changed_and_resumed|deleted|address_renewed)$/;

const isOf = (kind: string, noun: 'schedule' | 'webhook'): boolean =>
  kind === `task.started_by_${noun}` || (kind.startsWith(`${noun}.`) && !OF_USERS.test(kind));

/** Who caused an event: a user, a schedule, a webhook, or the server itself. */
const actorOf = ({ user_id, kind }: Stored, username: string) => {
  if (user_id !== null) return { type: 'user', id: user_id, username };
  if (isOf(kind, 'schedule')) return { type: 'schedule' };
  return { type: isOf(kind, 'webhook') ? 'webhook' : 'system' };
};

/** The JSON line of an event, without a line break. */
export const auditLine = ({ event_id, entry, username, project_name }: AuditRow): string => {
  const stored = JSON.parse(entry) as Stored;
  const { kind, params, description } = readEvent(stored.kind, JSON.stringify(stored.params));
  return JSON.stringify({
    id: event_id,
    time: stored.time,
    actor: actorOf(stored, username),
    address: stored.address === '' ? null : stored.address,
    token: stored.token_id === null ? null : { id: stored.token_id, name: stored.token_name },
    project: stored.project_id === null ? null : { id: stored.project_id, name: project_name },
    object: { type: stored.object_type, id: stored.object_id, name: stored.object_name },
    kind,
    params,
    description,
  });
};

/** The kind and time of an entry, for the header of a syslog message. */
export const auditHead = ({ entry }: AuditRow): { readonly time: string; readonly kind: string } =>
  JSON.parse(entry) as Stored;
