import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSelected } from '../../api/use-selected.ts';
import { Button } from '../../ui/basics/button.tsx';
import { RefusedDialog } from '../../ui/dialogs/refused-dialog.tsx';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { type ListedSchedule, useScheduleName } from './schedule-row.tsx';

interface SelectedSchedulesProps {
  project: number;
  schedules: readonly ListedSchedule[];
  selection: Selection;
}

/** The bar that pauses or resumes the selected schedules. */
export const SelectedSchedules = ({ project, schedules, selection }: SelectedSchedulesProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const nameOf = useScheduleName();
  const action = useSelected(() => {
    selection.clear();
    void client.invalidateQueries({ queryKey: queryKey.anySchedules(project) });
  });
  const chosen = schedules.filter(({ id }) => selection.has(id));
  const setActive = (active: boolean): void => {
    const ids = chosen.filter((schedule) => schedule.active !== active).map(({ id }) => id);
    action.act({
      run: () => call('activateSchedules', { params: { project_id: project }, body: { ids, active } }),
      text: (count) => t(active ? 'selectedSchedules.resumed' : 'selectedSchedules.paused', { count }),
    });
  };
  return (
    <>
      <SelectionBar selection={selection}>
        {chosen.some(({ active }) => active) ? (
          <Button small busy={action.isBusy} onClick={() => setActive(false)}>
            {t('selectedSchedules.pause')}
          </Button>
        ) : null}
        {chosen.some(({ active }) => !active) ? (
          <Button small busy={action.isBusy} onClick={() => setActive(true)}>
            {t('selectedSchedules.resume')}
          </Button>
        ) : null}
      </SelectionBar>
      <RefusedDialog
        result={action.result}
        nameOf={(id) => {
          const schedule = schedules.find((one) => one.id === id);
          return schedule && nameOf(schedule);
        }}
        onClose={action.close}
      />
    </>
  );
};
