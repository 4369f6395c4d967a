import type { ChangedPart, InstallationPart } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { TaskTable } from '../database/task.schema.ts';
import type { Line } from '../logs/block-codec.ts';

type Task = Selectable<TaskTable>;

/** New lines or results of a task, numbered from `first`. */
export interface Stored {
  readonly projectId: number;
  readonly taskId: number;
  readonly first: number;
}

/** What happens in the server that several of its parts must know. Each event is published after its transaction. */
export interface BusEvents {
  /** Tasks were created, or their status or approval changed. */
  readonly tasks_changed: { readonly tasks: readonly Task[] };
  /** Another value of a task changed, such as its commit. Other servers publish it as `tasks_changed`. */
  readonly task_details_changed: { readonly task: Task };
  readonly lines_stored: Stored & { readonly lines: readonly Line[] };
  readonly results_stored: Stored & { readonly records: readonly unknown[] };
  readonly part_changed: { readonly projectId: number; readonly part: ChangedPart };
  readonly installation_changed: { readonly part: InstallationPart };
  /** Users gained or lost rights, or sessions ended. */
  readonly rights_changed: object;
  /** Schedules have other due times, or freeze windows other times. */
  readonly due_times_changed: object;
  /** A waiting task may be able to start: a slot, a limit or the tags of a runner changed. */
  readonly capacity_changed: object;
  /** A query to a runner of another server was stored or answered. */
  readonly relayed_query_changed: { readonly id: number };
  readonly alerts_stored: object;
  /** The outbox has new work. */
  readonly work_queued: object;
  /** Events of other servers may have been lost, so what depends on them must read its state again. */
  readonly events_missed: object;
}

export type EventName = keyof BusEvents;

/** Whether an event happened in this server, so that others must know, or is about another server of the database. */
export type Origin = 'here' | 'elsewhere';

type Handler<N extends EventName> = (event: BusEvents[N], origin: Origin) => void;

/** Connects the parts of a server. A publisher does not know the handlers. */
export class Bus {
  readonly #handlers = new Map<EventName, Handler<never>[]>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called when a handler throws; the others are called anyway */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Calls a handler for each event of a kind, in the order of the calls of `on`. */
  on<N extends EventName>(name: N, handler: Handler<N>): void {
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler as Handler<never>]);
  }

  publish<N extends EventName>(name: N, event: BusEvents[N], origin: Origin = 'here'): void {
    for (const handler of this.#handlers.get(name) ?? [])
      try {
        (handler as Handler<N>)(event, origin);
      } catch (error) {
        this.#onError(error);
      }
  }
}
