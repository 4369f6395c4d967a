import type { Schedule } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Pauses, resumes and deletes schedules of the list. */
export const useScheduleChanges = (project: number) => {
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
