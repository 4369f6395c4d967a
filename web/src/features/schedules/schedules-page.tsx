import { MAX_SELECTED } from 'virtual:routes';
import { useCallbackRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { errorTextsQuery } from '../../api/error-texts-query.ts';
import { roleQuery, templatesQuery } from '../../api/queries.ts';
import { mayByRole, mayDo } from '../../ui/access/permissions.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { LaunchForm } from '../../ui/forms/launch-form.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import table from '../../ui/lists/table.module.css';
import { useSelection } from '../../ui/lists/use-selection.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader, Tabs } from '../../ui/page/page.tsx';
import { ownZone } from '../../ui/time/when-text.ts';
import { FreezeSection } from './freeze/freeze-section.tsx';
import { GroupChips } from './group-chips.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { useScheduleName } from './schedule-row.tsx';
import css from './schedules.module.css';
import type { SchedulesState } from './schedules-state.ts';
import { SchedulesTable } from './schedules-table.tsx';
import { SelectedSchedules } from './selected-schedules.tsx';
import { useListInPage } from './use-list-in-page.ts';
import { useScheduleChanges } from './use-schedule-changes.ts';
import { useOutcomes, useScheduleList } from './use-schedule-list.ts';
import { useIsWeekRead, useWeekPrefetch, WeekView } from './week-view.tsx';

export interface SchedulesPageProps<V extends object> {
  project: number;
  launch: LaunchForm<V>;
  state: SchedulesState;
  onState: (change: SchedulesState) => void;
}

const NO_SCHEDULES: never[] = [];

/** The schedules of a project: when each is due next, how its last tasks ended, and a switch to pause it. */
export const SchedulesPage = <V extends object>({ project, launch, state, onState }: SchedulesPageProps<V>) => {
  const { t } = useTranslation();
  const { query, rows, columns, shown } = useScheduleList(project, state);
  const { data: role } = useQuery(roleQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const outcomes = useOutcomes(project);
  const mayEdit = mayDo(role, 'edit_schedules');
  const nameOf = useScheduleName();
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { activation, deletion } = useScheduleChanges(project);
  const selection = useSelection(
    (shown ?? []).filter(({ template_id }) => mayByRole(role, template_id, 'edit_schedules')).map(({ id }) => id),
    MAX_SELECTED,
  );
  const isList = state.week === undefined;
  const week = state.week ?? 'now';
  const prefetchWeek = useWeekPrefetch(project, week);
  const hasTable = useListInPage(isList, useIsWeekRead(project, week, !isList));
  // The same functions in each rendering, so that rows that did not change are not drawn again.
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
              <span className={css.zone}>{t('schedules.yourZone', { zone: ownZone() })}</span>
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
              <SchedulesTable
                shown={shown}
                columns={columns}
                outcomes={outcomes}
                role={role}
                selection={selection}
                opened={opened}
                state={state}
                isPending={query.isPending}
                isBusy={activation.isPending}
                onState={onState}
                onToggle={toggle}
                onActive={activation.mutate}
                onEdit={edit}
                onDelete={deletion.ask}
              />
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
          mayEdit={item === undefined ? mayEdit : mayByRole(role, item.template_id, 'edit_schedules')}
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
