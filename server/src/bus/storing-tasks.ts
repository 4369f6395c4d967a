import { isFinal } from '@signalbox/contract';
import type { BusEvents } from './bus.ts';
import type { StoredRange } from './notice.ts';

type Kind = 'lines' | 'results';

/** The tasks whose lines and results this server stores now, with the last range of each. */
export class StoringTasks {
  readonly #ranges = new Map<number, Map<Kind, StoredRange>>();

  /** @returns the range of the new lines or results */
  stored(kind: Kind, event: BusEvents['lines_stored' | 'results_stored']): StoredRange {
    const { projectId: project, taskId: task, first } = event;
    const count = 'lines' in event ? event.lines.length : event.records.length;
    const range = { project, task, first, last: first + count - 1 };
    const ofTask = this.#ranges.get(task) ?? new Map<Kind, StoredRange>();
    this.#ranges.set(task, ofTask.set(kind, range));
    return range;
  }

  of(task: number): ReadonlyMap<Kind, StoredRange> {
    return this.#ranges.get(task) ?? new Map();
  }

  tasksChanged(tasks: BusEvents['tasks_changed']['tasks']): void {
    for (const { id, status } of tasks) if (isFinal(status)) this.#ranges.delete(id);
  }
}
