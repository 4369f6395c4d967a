import { Select } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { savedLaunchesQuery } from '../../api/saved-launches.ts';

interface SavedLaunchSelectProps {
  template: Template;
  /** Id as text; null for values of the schedule itself. */
  value: string | null;
  onChange: (id: string | null) => void;
  error?: unknown;
}

const OWN = 'own';

/** Chooses a shared saved launch of the template instead of values of the schedule. Shown only if there are any. */
export const SavedLaunchSelect = ({ template, value, onChange, error }: SavedLaunchSelectProps) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(savedLaunchesQuery(template.project_id, template.id));
  const shared = data.filter((launch) => launch.shared);
  if (shared.length === 0) return null;
  return (
    <Select
      label={t('saved.source')}
      description={value === null ? undefined : t('saved.sourceHelp')}
      allowDeselect={false}
      data={[
        { value: OWN, label: t('saved.ofSchedule') },
        { group: t('saved.menu'), items: shared.map(({ id, name }) => ({ value: String(id), label: name })) },
      ]}
      value={value ?? OWN}
      error={typeof error === 'string' ? error : undefined}
      onChange={(chosen) => onChange(chosen === OWN ? null : chosen)}
    />
  );
};
