import { useCallbackRef } from '@mantine/hooks';
import type { OwnRole, ScheduleOutcomes } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { mayByRole, mayDo, mayWith, mayWithAny } from '../../ui/access/permissions.ts';
import { SortHead } from '../../ui/lists/list-table.tsx';
import { RowBlocks } from '../../ui/lists/row-blocks.tsx';
import { AllCheck } from '../../ui/lists/row-check.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { type ListedSchedule, ScheduleRow } from './schedule-row.tsx';
import css from './schedules.module.css';
import type { SchedulesState } from './schedules-state.ts';
import type { ScheduleColumns } from './use-schedule-list.ts';

const NO_OUTCOMES: never[] = [];

interface SchedulesTableProps {
  /** Undefined until they have loaded. */
  shown: readonly ListedSchedule[] | undefined;
  columns: ScheduleColumns;
  outcomes: ReadonlyMap<number, ScheduleOutcomes['tasks']>;
  role: OwnRole | undefined;
  selection: Selection;
  /** Ids of the schedules whose rows are unfolded. */
  opened: ReadonlySet<number>;
  state: SchedulesState;
  isPending: boolean;
  /** Whether a schedule is being paused or resumed. */
  isBusy: boolean;
  onState: (change: SchedulesState) => void;
  onToggle: (id: number) => void;
  onActive: (change: { id: number; active: boolean }) => void;
  onEdit: (id: number) => void;
  onDelete: (schedule: ListedSchedule) => void;
}

/** The list of schedules, with what the user may do with each. */
export const SchedulesTable = (props: SchedulesTableProps) => {
  const { shown, columns, outcomes, role, selection, opened, state, isPending, isBusy } = props;
  const { onState, onToggle, onEdit } = props;
  const { t } = useTranslation();
  const [next, name, when] = columns;
  const mayEdit = mayDo(role, 'edit_schedules');
  const hasActions = mayEdit || mayWithAny(role, 'run');
  const width = hasActions ? 6 : 5;
  const head = { state, first: 'next', onState };
  // The same functions in each rendering, so that rows that did not change are not drawn again.
  const select = useCallbackRef(selection.toggle);
  const activate = useCallbackRef(props.onActive);
  const ask = useCallbackRef(props.onDelete);
  return (
    <table
      className={`${table.table} ${table.cards} ${css.table}`}
      aria-label={t('schedules.title')}
      aria-busy={isPending}
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
      {shown === undefined ? (
        <tbody>
          <SkeletonRows columns={width} />
        </tbody>
      ) : (
        <RowBlocks rows={shown} columns={width}>
          {(schedule) => (
            <ScheduleRow
              key={schedule.id}
              schedule={schedule}
              outcomes={outcomes.get(schedule.id) ?? NO_OUTCOMES}
              mayEdit={mayByRole(role, schedule.template_id, 'edit_schedules')}
              mayRun={mayWith(role, schedule.template_id, 'run')}
              hasActions={hasActions}
              isOpen={opened.has(schedule.id)}
              isBusy={isBusy}
              onToggle={onToggle}
              onActive={activate}
              onEdit={onEdit}
              onDelete={ask}
              onSelect={mayByRole(role, schedule.template_id, 'edit_schedules') ? select : undefined}
              isSelected={selection.has(schedule.id)}
            />
          )}
        </RowBlocks>
      )}
    </table>
  );
};
