import type { EndReasonCode, TaskStatus } from '@signalbox/contract';
import type { PagedState } from '../../../ui/lists/list-state.ts';
import type { DaySpan } from './day-span.ts';

/** State of the history in the URL. */
export interface HistoryState extends PagedState, DaySpan {
  status?: TaskStatus | undefined;
  reason?: EndReasonCode | undefined;
  /** Id of the only template whose tasks are shown. */
  template?: number | undefined;
  /** Id of the only user whose tasks are shown. */
  user?: number | undefined;
  /** Id of the saved filter whose tab is open. */
  filter?: number | undefined;
}
