import type { ScheduleOutcomes } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { projectSchedulesQuery, scheduleOutcomesQuery, templatesQuery } from '../../api/queries.ts';
import { columnFilter, sortRows } from '../../ui/lists/list-state.ts';
import type { ShownColumn } from '../../ui/lists/list-table.tsx';
import { whenText } from '../../ui/time/when-text.ts';
import { isInGroup } from './group-chips.tsx';
import { type ListedSchedule, useScheduleName } from './schedule-row.tsx';
import type { SchedulesState } from './schedules-state.ts';

type Column = ShownColumn<ListedSchedule>;

/** The columns that sort the list. */
export type ScheduleColumns = readonly [next: Column, name: Column, when: Column];

const useListed = (project: number) => {
  const query = useQuery(projectSchedulesQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const rows = useMemo((): ListedSchedule[] | undefined => {
    const names = new Map(templates?.map(({ id, name }) => [id, name]));
    return query.data?.map((schedule) => ({ ...schedule, template_name: names.get(schedule.template_id) ?? '' }));
  }, [query.data, templates]);
  return { query, rows };
};

/** The outcomes of the newest tasks by the id of their schedule. */
export const useOutcomes = (project: number): ReadonlyMap<number, ScheduleOutcomes['tasks']> => {
  const { data } = useQuery(scheduleOutcomesQuery(project));
  return useMemo(() => new Map(data?.map(({ schedule_id, tasks }) => [schedule_id, tasks])), [data]);
};

const useColumns = () => {
  const { t } = useTranslation();
  const nameOf = useScheduleName();
  return useMemo(
    (): ScheduleColumns => [
      {
        id: 'next',
        title: 'schedules.next',
        text: ({ next_start }) => next_start ?? '',
        order: ({ next_start }) => (next_start === null ? Number.MAX_VALUE : Date.parse(next_start)),
      },
      { id: 'name', title: 'column.name', text: (row) => `${nameOf(row)} ${row.template_name}` },
      { id: 'when', title: 'schedules.when', text: (row) => whenText(t, row) },
    ],
    [t, nameOf],
  );
};

/** The schedules of a project, and those that the list shows: filtered and sorted. */
export const useScheduleList = (project: number, { only, q, sort }: SchedulesState) => {
  const { query, rows } = useListed(project);
  const columns = useColumns();
  const find = useMemo(() => {
    const group = rows?.filter((row) => only === undefined || isInGroup(row, only));
    return group && columnFilter(sortRows(group, columns, { sort }), columns);
  }, [rows, only, columns, sort]);
  // Deferred, so that a key does not wait for the rows.
  const text = useDeferredValue(q);
  const shown = useMemo(() => find?.(text ?? ''), [find, text]);
  return { query, rows, columns, shown };
};
