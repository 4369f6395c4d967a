import type { Failure } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { RunOnHosts } from '../hosts/run-on-hosts.tsx';
import { openHosts } from './cluster-hosts.ts';

export interface RunOnFailureProps {
  failure: Failure;
  onRun: (task: number, limit: string) => void;
}

/** Runs the last task with a failure again, on the hosts on which it is not fixed. Nothing if that task was deleted. */
export const RunOnFailure = ({ failure, onRun }: RunOnFailureProps) => {
  const { t } = useTranslation();
  const { id: failure_id, project_id, template_id, open_hosts: hosts, seen } = failure;
  const task_id = seen.last_task_id;
  if (task_id === null) return null;
  return (
    <RunOnHosts
      small
      label={t('host.runOn', { count: hosts, number: numberText(hosts) })}
      limit={async () => limitOf(await openHosts({ project_id, failure_id }, template_id))}
      onRun={(limit) => onRun(task_id, limit)}
    />
  );
};
