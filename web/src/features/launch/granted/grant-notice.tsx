import { Select } from '@mantine/core';
import type { LaunchLimits, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inventoryQuery } from '../../../api/queries.ts';
import { alternativesText, listText } from '../../../lang/locale.ts';
import { limitTexts } from '../../../ui/access/limit-texts.ts';
import { Alert } from '../../../ui/basics/alert.tsx';

interface GrantNoticeProps {
  template: Template;
  /** What each grant fixes; empty if tasks are not limited. */
  limits: readonly LaunchLimits[];
  /** The grant that the form follows, as its position in the list. */
  chosen: number;
  onChoose: (index: number) => void;
}

/** What the grants of the user fix of a new task. With several grants the user chooses one. */
export const GrantNotice = ({ template, limits, chosen, onChoose }: GrantNoticeProps) => {
  const { t } = useTranslation();
  const { data: inventories = [] } = useQuery({ ...inventoryQuery(template.project_id), enabled: limits.length > 0 });
  if (limits.length === 0) return null;
  const choices = limits.map((limit) => listText(limitTexts(t, limit, inventories, template.survey_vars)));
  return (
    <>
      <Alert colour="wait">{t('grants.youMay', { limits: alternativesText(choices) })}</Alert>
      {limits.length === 1 ? null : (
        <Select
          label={t('grants.runWith')}
          data={choices.map((label, index) => ({ value: String(index), label }))}
          allowDeselect={false}
          value={String(chosen)}
          onChange={(index) => onChoose(Number(index))}
        />
      )}
    </>
  );
};
