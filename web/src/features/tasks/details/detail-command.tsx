import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../../apps/page-apps.ts';
import { CopiedDetail } from './copied-detail.tsx';

/** The command line that a run is started with. */
export const DetailCommand = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { command } = usePageApp(task.app);
  const template = { playbook: task.tpl_playbook, arguments: '[]' };
  const options = {
    ...task,
    forks: task.forks === null ? '' : String(task.forks),
    arguments: task.run_arguments ?? task.arguments,
  };
  return (
    <CopiedDetail
      text={command(template, options).join(' ')}
      note={t(task.run_arguments === null ? 'details.commandWithoutTemplate' : 'details.commandNote')}
    />
  );
};
