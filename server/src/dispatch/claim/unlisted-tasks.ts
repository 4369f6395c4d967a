import type { HostTask } from './host-locks.ts';
import type { MissingLock } from './locks.ts';

/**
 * The tasks whose hosts are not known yet, up to one point in the order of the waiting tasks. Later tasks of their template
 * wait for them, because they would otherwise overtake them when their own hosts are known first.
 */
export class UnlistedTasks {
  /** The first task of each template, and the first one that does not share its hosts. */
  readonly #first = new Map<number, { readonly any: HostTask; alone: HostTask | undefined }>();

  add(task: HostTask): void {
    const first = this.#first.get(task.template_id) ?? { any: task, alone: undefined };
    if (task.shared === 0) first.alone ??= task;
    this.#first.set(task.template_id, first);
  }

  /** The task for which a later one waits. Tasks in check mode do not wait for each other. */
  ahead({ template_id, shared }: HostTask): MissingLock | undefined {
    const first = this.#first.get(template_id);
    const task = shared === 1 ? first?.alone : first?.any;
    return task && { name: '', isUnlisted: true, by: { task_id: task.task_id, template_id } };
  }
}
