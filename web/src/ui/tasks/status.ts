import { TASK_STATUSES } from 'virtual:routes';
import type { TaskStatus } from '@signalbox/contract';

/** A status filter; `none` for templates that were never launched. */
export type ChosenStatus = TaskStatus | 'none';

/** Reads a status filter from a search parameter. */
export const readStatus = (value: unknown): ChosenStatus | undefined =>
  value === 'none' ? 'none' : TASK_STATUSES.find((status) => status === value);

/** Colour of a status. */
export type LampColour = 'wait' | 'active' | 'ok' | 'error' | 'stop';
/** Shape of a status icon. Statuses must not differ by colour alone. */
export type LampShape = 'clock' | 'arc' | 'check' | 'cross' | 'square' | 'dashed';

export interface StatusLook {
  readonly lamp: LampColour;
  readonly shape: LampShape;
  /** Catalogue key of the label. */
  readonly word: string;
  /** Whether the label is grey, because the status needs no attention. */
  readonly quiet: boolean;
}

const LOOKS: Readonly<Record<TaskStatus | 'none', StatusLook>> = {
  waiting: { lamp: 'wait', shape: 'clock', word: 'status.waiting', quiet: true },
  starting: { lamp: 'active', shape: 'arc', word: 'status.starting', quiet: false },
  running: { lamp: 'active', shape: 'arc', word: 'status.running', quiet: false },
  stopping: { lamp: 'stop', shape: 'arc', word: 'status.stopping', quiet: false },
  success: { lamp: 'ok', shape: 'check', word: 'status.success', quiet: true },
  error: { lamp: 'error', shape: 'cross', word: 'status.error', quiet: false },
  stopped: { lamp: 'stop', shape: 'square', word: 'status.stopped', quiet: false },
  none: { lamp: 'wait', shape: 'dashed', word: 'status.none', quiet: true },
};

/** For statuses of a newer server that this page does not know. */
const UNKNOWN: StatusLook = { lamp: 'wait', shape: 'dashed', word: 'status.unknown', quiet: true };

/** Icon, colour and label of a status; `none` for a template that was never launched. */
export const statusLook = (status: TaskStatus | 'none'): StatusLook =>
  Object.hasOwn(LOOKS, status) ? LOOKS[status] : UNKNOWN;
