import { TASK_STATUSES } from 'virtual:routes';
import type { Task, TaskStatus } from '@signalbox/contract';

/** A status filter; `none` for templates that were never launched. */
export type ChosenStatus = TaskStatus | 'none';

/** Reads a status filter from a search parameter. */
export const readStatus = (value: unknown): ChosenStatus | undefined =>
  value === 'none' ? 'none' : TASK_STATUSES.find((status) => status === value);

/** Colour of a status. */
export type StatusColour = 'wait' | 'active' | 'ok' | 'error' | 'stop';
/** A status of a task as the page shows it: a task that needs an approval has its own. */
export type ShownStatus = TaskStatus | 'pending';

export const shownStatus = ({ status, approval_state }: Pick<Task, 'status' | 'approval_state'>): ShownStatus =>
  approval_state === 'pending' ? 'pending' : status;

/** Shape of a status icon. Statuses must not differ by colour alone. */
export type StatusShape = 'clock' | 'arc' | 'check' | 'cross' | 'square' | 'bars' | 'slash' | 'dashed';

export interface StatusStyle {
  readonly colour: StatusColour;
  readonly shape: StatusShape;
  /** Catalogue key of the label. */
  readonly labelKey: string;
  /** Whether the label is grey, because the status needs no attention. */
  readonly quiet: boolean;
}

const STYLES: Readonly<Record<ShownStatus | 'none', StatusStyle>> = {
  waiting: { colour: 'wait', shape: 'clock', labelKey: 'status.waiting', quiet: true },
  pending: { colour: 'stop', shape: 'bars', labelKey: 'status.pending', quiet: false },
  starting: { colour: 'active', shape: 'arc', labelKey: 'status.starting', quiet: false },
  running: { colour: 'active', shape: 'arc', labelKey: 'status.running', quiet: false },
  stopping: { colour: 'stop', shape: 'arc', labelKey: 'status.stopping', quiet: false },
  success: { colour: 'ok', shape: 'check', labelKey: 'status.success', quiet: true },
  error: { colour: 'error', shape: 'cross', labelKey: 'status.error', quiet: false },
  stopped: { colour: 'stop', shape: 'square', labelKey: 'status.stopped', quiet: false },
  none: { colour: 'wait', shape: 'dashed', labelKey: 'status.none', quiet: true },
};

/** For statuses of a newer server that this page does not know. */
const UNKNOWN: StatusStyle = { colour: 'wait', shape: 'dashed', labelKey: 'status.unknown', quiet: true };

/** Icon, colour and label of a status; `none` for a template that was never launched. */
export const statusStyle = (status: ShownStatus | 'none'): StatusStyle =>
  Object.hasOwn(STYLES, status) ? STYLES[status] : UNKNOWN;
