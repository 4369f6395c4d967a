import { isFinal, type TaskStatus } from '@signalbox/contract';

interface KnownTask {
  readonly id: number;
  readonly template_id: number;
  readonly status: TaskStatus;
}

/** Maximum number of tasks whose templates are kept. */
const MOST = 10_000;

/** The templates of the tasks that have not ended, as far as this server has received messages about them. */
export class TaskTemplates {
  readonly #templates = new Map<number, number>();

  learn({ id, template_id, status }: KnownTask): void {
    // In the order of the last message, so that the oldest one goes first.
    this.#templates.delete(id);
    if (isFinal(status)) return;
    this.#templates.set(id, template_id);
    const [oldest] = this.#templates.keys();
    if (this.#templates.size > MOST && oldest !== undefined) this.#templates.delete(oldest);
  }

  of(taskId: number): number | undefined {
    return this.#templates.get(taskId);
  }
}
