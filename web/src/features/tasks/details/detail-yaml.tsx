import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { stringify } from 'yaml';
import { CopiedDetail } from './copied-detail.tsx';
import { taskValues } from './task-values.ts';
import { useUsedName } from './used-object.tsx';

/** All that a task was started with as YAML, in version 1.1, which Ansible reads. */
export const DetailYaml = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const names = {
    inventory: useUsedName(task, 'inventory'),
    environment: useUsedName(task, 'environment'),
    repository: useUsedName(task, 'repositories'),
  };
  return <CopiedDetail text={stringify(taskValues(task, names), { version: '1.1' })} note={t('details.yamlNote')} />;
};
