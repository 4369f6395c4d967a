import type { Task } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { taskQuery } from '../../api/queries.ts';
import { IconButton } from '../../ui/basics/button.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Keeps a task with its log whatever its age, and ends that. */
export const KeepButton = ({ task }: { task: Pick<Task, 'id' | 'project_id' | 'kept'> }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: (kept: boolean) =>
      call('keepTask', { params: { project_id: task.project_id, task_id: task.id }, body: { kept } }),
    onSuccess: async (_, kept) => {
      await client.invalidateQueries({ queryKey: taskQuery(task.project_id, task.id).queryKey });
      showToast('ok', t(kept ? 'task.keptNow' : 'task.notKeptNow', { id: task.id }));
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  return (
    <IconButton
      icon="keep"
      label={t(task.kept ? 'task.keepNoLonger' : 'task.keep')}
      aria-pressed={task.kept}
      disabled={keep.isPending}
      onClick={() => keep.mutate(!task.kept)}
    />
  );
};
