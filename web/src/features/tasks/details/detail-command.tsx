import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { templateQuery } from '../../../api/queries.ts';
import { usePageApp } from '../../../apps/page-apps.ts';
import { CopiedDetail } from './copied-detail.tsx';

/** The command line that a run is started with. */
export const DetailCommand = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { command } = usePageApp(task.app);
  const isWaiting = task.status === 'waiting';
  const { data: template } = useQuery({ ...templateQuery(task.project_id, task.template_id), enabled: isWaiting });
  // A task takes the arguments of its template when it starts.
  const ofTemplate = isWaiting ? template?.arguments : task.tpl_arguments;
  const parts = command(
    { playbook: task.tpl_playbook, arguments: ofTemplate ?? '[]' },
    { ...task, forks: task.forks === null ? '' : String(task.forks) },
  );
  return (
    <CopiedDetail
      text={parts.join(' ')}
      note={t(ofTemplate ? 'details.commandNote' : 'details.commandWithoutTemplate')}
    />
  );
};
