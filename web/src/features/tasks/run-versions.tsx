import type { RunVersions, Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { taskVersionsQuery } from '../../api/comparison-queries.ts';
import css from './task.module.css';

const Requirements = ({ list }: { list: RunVersions['collections'] }) => {
  const { t } = useTranslation();
  return (
    <ul className={css.plainList}>
      {list.map(({ name, version }) => (
        <li key={name}>
          <code>{name}</code>{' '}
          {version === '' ? <span className="faint">{t('versions.unknown')}</span> : <code>{version}</code>}
        </li>
      ))}
    </ul>
  );
};

/** The terms and values of what an ended task was executed with, as far as it is known. */
export const useVersionRows = (task: Task): readonly (readonly [string, ReactNode])[] => {
  const { t } = useTranslation();
  const { data } = useQuery({ ...taskVersionsQuery(task.project_id, task.id), enabled: task.end !== null });
  const versions = data?.versions;
  if (!versions) return [];
  const { ansible, python, image_digest: digest, collections, roles } = versions;
  return [
    ...(ansible === null ? [] : [['ansible-core', ansible] as const]),
    ...(python === null ? [] : [['Python', python] as const]),
    ...(digest === null ? [] : [[t('versions.image'), <code key="image">{digest}</code>] as const]),
    ...(collections.length === 0
      ? []
      : [[t('versions.collections'), <Requirements key="collections" list={collections} />] as const]),
    ...(roles.length === 0 ? [] : [[t('versions.roles'), <Requirements key="roles" list={roles} />] as const]),
  ];
};
