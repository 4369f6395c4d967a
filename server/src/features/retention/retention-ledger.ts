import type { StateTransaction } from '../../database/database.ts';

interface Removed {
  readonly eventId: number;
  readonly tasks: number;
  readonly logs: number;
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

const sentence = ({ tasks, logs }: Pick<Removed, 'tasks' | 'logs'>): string =>
  `${[...counted(tasks, 'task'), ...counted(logs, 'log')].join(' and ')} removed: older than what is to be kept`;

/**
 * Tells in one event for each project what a sweep removed. It is written with the first removal and says more with each
 * that follows, always in the transaction of the removal: cut at any moment, it is true.
 */
export class RetentionLedger {
  readonly #projects = new Map<number, Removed>();
  readonly #at: string;

  constructor(now: Date) {
    this.#at = now.toISOString();
  }

  get isEmpty(): boolean {
    return this.#projects.size === 0;
  }

  /**
   * Says in this transaction what it removes.
   * @returns to be called after its commit
   */
  async add(tx: StateTransaction, projectId: number, more: { tasks: number; logs: number }): Promise<() => void> {
    const before = this.#projects.get(projectId);
    const tasks = (before?.tasks ?? 0) + more.tasks;
    const logs = (before?.logs ?? 0) + more.logs;
    const description = sentence({ tasks, logs });
    const eventId = before?.eventId ?? (await this.#insert(tx, projectId, description));
    if (before) await tx.updateTable('event').set({ description }).where('id', '=', before.eventId).execute();
    return () => void this.#projects.set(projectId, { eventId, tasks, logs });
  }

  async #insert(tx: StateTransaction, projectId: number, description: string): Promise<number> {
    const { name } = await tx
      .selectFrom('project')
      .select('name')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    const { id } = await tx
      .insertInto('event')
      .values({
        user_id: null,
        project_id: projectId,
        object_id: projectId,
        object_type: 'project',
        object_name: name,
        description,
        address: '',
        created: this.#at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
}
