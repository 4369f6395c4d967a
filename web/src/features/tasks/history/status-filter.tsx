import { TASK_STATUSES } from 'virtual:routes';
import { Select } from '@mantine/core';
import type { TaskStatus } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { statusLook } from '../../../ui/status.ts';
import css from './history.module.css';

export type StatusChoice = TaskStatus | '';

/** Narrows the history to one status, asked of the server. */
export const StatusFilter = ({ value, onChange }: { value: StatusChoice; onChange: (value: StatusChoice) => void }) => {
  const { t } = useTranslation();
  return (
    <Select
      className={css.filter ?? ''}
      aria-label={t('history.status')}
      allowDeselect={false}
      data={[
        { value: 'any', label: t('history.anyStatus') },
        ...TASK_STATUSES.map((status) => ({ value: status, label: t(statusLook(status).word) })),
      ]}
      value={value === '' ? 'any' : value}
      onChange={(chosen) => onChange(TASK_STATUSES.find((status) => status === chosen) ?? '')}
    />
  );
};
