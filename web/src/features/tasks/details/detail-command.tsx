import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../../apps/page-apps.ts';
import { CopiedDetail } from './copied-detail.tsx';

/** The command line that a run is started with. */
export const DetailCommand = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { command } = usePageApp(task.app);
  const parts = command(
    { playbook: task.tpl_playbook, arguments: task.tpl_arguments ?? '[]' },
    { ...task, forks: task.forks === null ? '' : String(task.forks) },
  );
  return (
    <CopiedDetail
      text={parts.join(' ')}
      note={t(task.tpl_arguments ? 'details.commandNote' : 'details.commandWithoutTemplate')}
    />
  );
};
