import type { ListState } from '../../ui/lists/list-state.ts';
import type { ScheduleGroup } from './group-chips.tsx';

/** State of the page in the URL. */
export interface SchedulesState extends ListState {
  edit?: number | 'new' | undefined;
  /** Which schedules the list shows. Undefined for all. */
  only?: ScheduleGroup | undefined;
  /** The week of the calendar: `now`, or a day of it such as 2026-11-23. Undefined for the list. */
  week?: string | undefined;
}
