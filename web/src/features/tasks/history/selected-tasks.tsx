import { ACTIVE_STATUSES } from 'virtual:routes';
import type { Task } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { roleQuery } from '../../../api/queries.ts';
import { useSelected } from '../../../api/use-selected.ts';
import { mayDo, mayWith } from '../../../ui/access/permissions.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { SelectionBar } from '../../../ui/lists/selection-bar.tsx';
import type { Selection } from '../../../ui/lists/use-selection.ts';

const ConfirmDialog = lazyPart(() => import('../../../ui/dialogs/confirm-dialog.tsx'), 'ConfirmDialog');
const RefusedDialog = lazyPart(() => import('../../../ui/dialogs/refused-dialog.tsx'), 'RefusedDialog');

interface SelectedTasksProps {
  project: number;
  tasks: readonly Task[];
  selection: Selection;
}

const isActive = ({ status }: Task): boolean => ACTIVE_STATUSES.some((active) => active === status);

/** The bar that stops or deletes the selected tasks of the history. */
export const SelectedTasks = ({ project, tasks, selection }: SelectedTasksProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: role } = useQuery(roleQuery(project));
  const [isDeleting, setDeleting] = useState(false);
  const close = () => setDeleting(false);
  const action = useSelected(() => {
    close();
    selection.clear();
    void client.invalidateQueries({ queryKey: queryKey.taskLists(project) });
  });
  const chosen = tasks.filter(({ id }) => selection.has(id));
  const active = chosen.filter((task) => isActive(task) && mayWith(role, task.template_id, 'stop')).map(({ id }) => id);
  const ended = chosen.filter((task) => !isActive(task)).map(({ id }) => id);
  const names = new Map(tasks.map(({ id, tpl_alias }) => [id, `#${id} ${tpl_alias}`]));
  return (
    <>
      <SelectionBar selection={selection}>
        {active.length > 0 ? (
          <Button
            variant="stop"
            icon="square"
            small
            busy={action.isBusy}
            onClick={() =>
              action.act({
                run: () => call('stopTasks', { body: { ids: active } }),
                text: (count) => t('activeTasks.stopped', { count }),
              })
            }
          >
            {t('task.stop')}
          </Button>
        ) : null}
        {ended.length > 0 && mayDo(role, 'update_project') ? (
          <Button variant="stop" icon="trash" small onClick={() => setDeleting(true)}>
            {t('action.delete')}
          </Button>
        ) : null}
      </SelectionBar>
      {isDeleting && ended.length > 0 ? (
        <Suspense>
          <ConfirmDialog
            title={t('selectedTasks.deleteTitle')}
            which={t('selection.count', { count: ended.length })}
            action={t('action.delete')}
            isBusy={action.isBusy}
            onConfirm={() =>
              action.act({
                run: () => call('deleteTasks', { params: { project_id: project }, body: { ids: ended } }),
                text: (count) => t('selectedTasks.deleted', { count }),
              })
            }
            onClose={close}
          >
            <p>{t('selectedTasks.deleteText')}</p>
          </ConfirmDialog>
        </Suspense>
      ) : null}
      {action.result ? (
        <Suspense>
          <RefusedDialog result={action.result} nameOf={(id) => names.get(id)} onClose={action.close} />
        </Suspense>
      ) : null}
    </>
  );
};
