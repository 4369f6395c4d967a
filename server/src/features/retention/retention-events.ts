import type { EventMessage } from '@signalbox/contract';
import { insertEvent, SYSTEM, updateEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';

interface Removed {
  readonly eventId: number;
  readonly tasks: number;
  readonly logs: number;
}

const removal = ({ tasks, logs }: Pick<Removed, 'tasks' | 'logs'>): EventMessage => {
  if (logs === 0) return { kind: 'retention.tasks_removed', params: { count: tasks } };
  if (tasks === 0) return { kind: 'retention.logs_removed', params: { count: logs } };
  return { kind: 'retention.tasks_and_logs_removed', params: { tasks, logs } };
};

/**
 * Records one event per project with what a sweep removed. The first removal inserts the event and later ones update
 * it, each in the transaction of the removal, so it is correct even after a crash.
 */
export class RetentionEvents {
  readonly #projects = new Map<number, Removed>();
  readonly #at: Date;

  constructor(now: Date) {
    this.#at = now;
  }

  get isEmpty(): boolean {
    return this.#projects.size === 0;
  }

  /**
   * Records a removal in its transaction.
   * @returns a function to call after the commit
   */
  async add(tx: StateTransaction, projectId: number, more: { tasks: number; logs: number }): Promise<() => void> {
    const before = this.#projects.get(projectId);
    const tasks = (before?.tasks ?? 0) + more.tasks;
    const logs = (before?.logs ?? 0) + more.logs;
    const event = removal({ tasks, logs });
    const eventId = before?.eventId ?? (await this.#insert(tx, projectId, event));
    if (before) await updateEvent(tx, before.eventId, event);
    return () => void this.#projects.set(projectId, { eventId, tasks, logs });
  }

  async #insert(tx: StateTransaction, projectId: number, event: EventMessage): Promise<number> {
    const { name } = await tx
      .selectFrom('project')
      .select('name')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    return await insertEvent(tx, {
      ...event,
      actor: SYSTEM,
      projectId,
      objectType: 'project',
      objectId: projectId,
      objectName: name,
      at: this.#at,
    });
  }
}
