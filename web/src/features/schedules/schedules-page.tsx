import { MAX_SELECTED } from 'virtual:routes';
import { useCallbackRef } from '@mantine/hooks';
import type { Schedule, ScheduleOutcomes } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTextsQuery } from '../../api/error-texts-query.ts';
import { queryKey } from '../../api/keys.ts';
import { projectSchedulesQuery, roleQuery, scheduleOutcomesQuery, templatesQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { mayDo, mayWith, mayWithAny } from '../../ui/access/permissions.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { LaunchForm } from '../../ui/forms/launch-form.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { type ShownColumn, SortHead } from '../../ui/lists/list-table.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import { AllCheck } from '../../ui/lists/row-check.tsx';
import { SkeletonRows, UndrawnRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { useDrawnRows } from '../../ui/lists/use-drawn-rows.ts';
import { useSelection } from '../../ui/lists/use-selection.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader, Tabs } from '../../ui/page/page.tsx';
import { whenText } from '../../ui/time/when-text.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { FreezeSection } from './freeze/freeze-section.tsx';
import { GroupChips, isInGroup, type ScheduleGroup } from './group-chips.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { type ListedSchedule, ScheduleRow, useScheduleName } from './schedule-row.tsx';
import css from './schedules.module.css';
import { SelectedSchedules } from './selected-schedules.tsx';
import { useListInPage } from './use-list-in-page.ts';
import { useIsWeekRead, useWeekPrefetch, WeekView } from './week-view.tsx';

/** State of the page in the URL. */
export interface SchedulesState extends ListState {
  edit?: number | 'new' | undefined;
  /** Which schedules the list shows. Undefined for all. */
  only?: ScheduleGroup | undefined;
  /** The week of the calendar: `now`, or a day of it such as 2026-11-23. Undefined for the list. */
  week?: string | undefined;
}

export interface SchedulesPageProps<V extends object> {
  project: number;
  launch: LaunchForm<V>;
  state: SchedulesState;
  onState: (change: SchedulesState) => void;
}

type Column = ShownColumn<ListedSchedule>;

const NO_OUTCOMES: never[] = [];
const NO_SCHEDULES: never[] = [];

const useListed = (project: number) => {
  const query = useQuery(projectSchedulesQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const rows = useMemo((): ListedSchedule[] | undefined => {
    const names = new Map(templates?.map(({ id, name }) => [id, name]));
    return query.data?.map((schedule) => ({ ...schedule, template_name: names.get(schedule.template_id) ?? '' }));
  }, [query.data, templates]);
  return { query, rows };
};

const useChanges = (project: number) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { project_id: project };
  const changed = () => client.invalidateQueries({ queryKey: queryKey.anySchedules(project) });
  const activation = useMutation({
    mutationFn: ({ id, active }: { id: number; active: boolean }) =>
      call('updateSchedule', { params: { ...params, schedule_id: id }, body: { active } }),
    onSettled: changed,
    onError: (error) => showToast('error', errorText(error)),
  });
  const deletion = useDeletion<Schedule>({
    remove: ({ id }) => call('deleteSchedule', { params: { ...params, schedule_id: id } }),
    onRemoved: async () => {
      showToast('ok', t('schedules.deleted'));
      await changed();
    },
    onRefused: (text) => showToast('error', text),
  });
  return { activation, deletion };
};

/** The outcomes of the newest tasks by the id of their schedule. */
const useOutcomes = (project: number): ReadonlyMap<number, ScheduleOutcomes['tasks']> => {
  const { data } = useQuery(scheduleOutcomesQuery(project));
  return useMemo(() => new Map(data?.map(({ schedule_id, tasks }) => [schedule_id, tasks])), [data]);
};

const useColumns = () => {
  const { t } = useTranslation();
  const nameOf = useScheduleName();
  return useMemo(
    (): readonly [next: Column, name: Column, when: Column] => [
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

/** The schedules of a project: when each is due next, how its last tasks ended, and a switch to pause it. */
export const SchedulesPage = <V extends object>({ project, launch, state, onState }: SchedulesPageProps<V>) => {
  const { t } = useTranslation();
  const { query, rows } = useListed(project);
  const { data: role } = useQuery(roleQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const outcomes = useOutcomes(project);
  const mayEdit = mayDo(role, 'edit_schedules');
  const nameOf = useScheduleName();
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { activation, deletion } = useChanges(project);
  const columns = useColumns();
  const [next, name, when] = columns;
  const hasActions = mayEdit || mayWithAny(role, 'run');
  const { only, q, sort } = state;
  const shown = useMemo(() => {
    const group = rows?.filter((row) => only === undefined || isInGroup(row, only));
    return group && arrange(group, columns, { q, sort });
  }, [rows, only, columns, q, sort]);
  const selection = useSelection(
    (shown ?? []).map(({ id }) => id),
    MAX_SELECTED,
  );
  const isList = state.week === undefined;
  const week = state.week ?? 'now';
  const prefetchWeek = useWeekPrefetch(project, week);
  const hasTable = useListInPage(isList, useIsWeekRead(project, week, !isList));
  const drawn = useDrawnRows(hasTable ? (shown?.length ?? 0) : 0);
  // The same functions in each rendering, so that rows that did not change are not drawn again.
  const select = useCallbackRef(selection.toggle);
  const activate = useCallbackRef(activation.mutate);
  const ask = useCallbackRef(deletion.ask);
  const edit = useCallbackRef((id: number) => onState({ edit: id }));
  const toggle = useCallbackRef((id: number) =>
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    }),
  );
  const [editedWindow, setEditedWindow] = useState<number | 'new'>();
  const addWindow = mayEdit ? (
    <Button variant="quiet" icon="lock" onClick={() => setEditedWindow('new')}>
      {t('freeze.new')}
    </Button>
  ) : null;
  const add = mayEdit ? (
    <Button icon="plus" onClick={() => onState({ edit: 'new' })}>
      {t('schedules.new')}
    </Button>
  ) : null;
  const item = rows?.find(({ id }) => id === state.edit);
  // The form checks answers itself, and needs the texts of errors for that.
  const texts = useQuery(errorTextsQuery);
  const isReady = rows !== undefined && role !== undefined && templates !== undefined && texts.isSuccess;
  const isFormOpen = isReady && (item !== undefined || (state.edit === 'new' && mayEdit));
  const link = { to: '/project/$projectId/schedules', params: { projectId: project } } as const;
  const head = { state, first: 'next', onState };
  return (
    <>
      <PageHeader title={t('schedules.title')}>
        {addWindow}
        {rows?.length === 0 ? null : add}
      </PageHeader>
      <Tabs label={t('schedules.title')}>
        <Link {...link} search={{ week: undefined }} activeOptions={{ explicitUndefined: true }}>
          {t('schedules.list')}
          {rows === undefined ? null : <small>{rows.length}</small>}
        </Link>
        <Link {...link} search={{ week }} onPointerEnter={prefetchWeek} onFocus={prefetchWeek}>
          {t('schedules.week')}
        </Link>
      </Tabs>
      <FreezeSection project={project} mayEdit={mayEdit} edited={editedWindow} onEdit={setEditedWindow} />
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {rows?.length === 0 ? (
        <EmptyState title={t('schedules.emptyTitle')} text={t('schedules.emptyText')}>
          {add}
        </EmptyState>
      ) : (
        <>
          {state.week === undefined ? (
            <Bar>
              <FilterInput
                label={t('schedules.filter')}
                value={state.q ?? ''}
                onChange={(q) => onState({ q: q === '' ? undefined : q })}
              />
              <GroupChips schedules={rows ?? []} chosen={state.only} onChoose={(only) => onState({ only })} />
              <span className={css.zone}>
                {t('schedules.yourZone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
              </span>
            </Bar>
          ) : (
            <WeekView
              project={project}
              schedules={rows ?? NO_SCHEDULES}
              week={state.week}
              onWeek={(week) => onState({ week })}
              onOpen={edit}
            />
          )}
          {hasTable ? (
            <div className={`${table.scroll} ${isList ? '' : css.leaving}`}>
              <table
                className={`${table.table} ${table.cards} ${css.table}`}
                aria-label={t('schedules.title')}
                aria-busy={query.isPending}
              >
                <thead>
                  <tr>
                    <SortHead
                      column={name}
                      className={css.nameHead}
                      {...head}
                      before={mayEdit ? <AllCheck selection={selection} /> : null}
                    />
                    <SortHead column={when} className={css.when} {...head} />
                    <SortHead column={next} className={css.next} {...head} />
                    <th className={css.outcomes}>{t('column.outcomes')}</th>
                    <th className={css.active}>{t('schedule.active')}</th>
                    {hasActions ? (
                      <th className={css.actions}>
                        <span className="sr">{t('column.actions')}</span>
                      </th>
                    ) : null}
                  </tr>
                </thead>
                <tbody>
                  {shown === undefined ? <SkeletonRows columns={hasActions ? 6 : 5} /> : null}
                  {shown?.slice(0, drawn).map((schedule) => (
                    <ScheduleRow
                      key={schedule.id}
                      schedule={schedule}
                      outcomes={outcomes.get(schedule.id) ?? NO_OUTCOMES}
                      mayEdit={mayEdit}
                      mayRun={mayWith(role, schedule.template_id, 'run')}
                      hasActions={hasActions}
                      isOpen={opened.has(schedule.id)}
                      isBusy={activation.isPending}
                      onToggle={toggle}
                      onActive={activate}
                      onEdit={edit}
                      onDelete={ask}
                      onSelect={mayEdit ? select : undefined}
                      isSelected={selection.has(schedule.id)}
                    />
                  ))}
                  {shown !== undefined && drawn < shown.length ? (
                    <UndrawnRows rows={shown.length - drawn} columns={hasActions ? 6 : 5} />
                  ) : null}
                </tbody>
              </table>
            </div>
          ) : null}
          {isList && mayEdit ? (
            <SelectedSchedules project={project} schedules={shown ?? []} selection={selection} />
          ) : null}
          {isList && shown?.length === 0 ? (
            <NoMatch title={t('list.noMatch')} onClear={() => onState({ q: undefined, only: undefined })} />
          ) : null}
        </>
      )}
      {isFormOpen ? (
        <ScheduleForm
          key={state.edit}
          project={project}
          item={item}
          mayEdit={mayEdit}
          launch={launch}
          onClose={() => onState({ edit: undefined })}
        />
      ) : null}
      {deletion.deletion ? (
        <ConfirmDialog
          title={t('schedules.deleteTitle')}
          which={nameOf(deletion.deletion.item)}
          action={t('action.delete')}
          isBusy={deletion.confirm.isPending}
          onConfirm={() => deletion.deletion && deletion.confirm.mutate(deletion.deletion.item)}
          onClose={deletion.close}
        >
          <p>{t('schedules.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
