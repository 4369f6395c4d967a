import type { EventMessage, Message, Params } from '@signalbox/contract';

/** What happened, as it is stored and answered. A newer server may know kinds that are unknown here. */
interface StoredEvent {
  readonly kind: string;
  readonly params: Params;
}

/** A number that selects the plural form and is written without separators, as in an English description. */
const counted = (count: number) => ({ count, number: String(count) });

const noun = (code: 'retention.tasks' | 'retention.logs', count: number): Message => ({ code, params: counted(count) });

/**
 * The message of an event, for `textsIn` with the catalogues `events`, `errors` and `end-reasons`: a reason can be
 * an error, and that of a runner a reason that ends tasks.
 */
export const eventMessage = (stored: StoredEvent): Message => {
  const event = stored as unknown as EventMessage;
  switch (event.kind) {
    case 'schedule.missed_several':
    case 'schedule.missed_more':
      return { code: event.kind, params: { ...event.params, ...counted(event.params.count) } };
    case 'retention.tasks_removed':
      return { code: event.kind, params: { tasks: noun('retention.tasks', event.params.count) } };
    case 'retention.logs_removed':
      return { code: event.kind, params: { logs: noun('retention.logs', event.params.count) } };
    case 'retention.tasks_and_logs_removed': {
      const { tasks, logs } = event.params;
      const params = { tasks: noun('retention.tasks', tasks), logs: noun('retention.logs', logs) };
      return { code: event.kind, params };
    }
    default:
      return { code: stored.kind, params: stored.params };
  }
};
