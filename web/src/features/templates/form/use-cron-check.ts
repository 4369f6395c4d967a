import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../api/keys.ts';
import { checkCron } from './save-template.ts';

/** Whether the server accepts a cron expression. Calls the server only while `isEnabled`; an empty cron is accepted. */
export const useCronCheck = (project: number, cron: string, isEnabled: boolean): boolean => {
  const { isSuccess } = useQuery({
    queryKey: [...queryKey.anySchedules(project), 'check', cron],
    queryFn: async () => {
      await checkCron(project, cron);
      return true;
    },
    enabled: isEnabled,
    retry: false,
  });
  return isSuccess;
};
