import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inventoryQuery, roleQuery } from '../../api/queries.ts';
import { alternativesText, listText } from '../../lang/locale.ts';
import { limitTexts } from '../../ui/access/limit-texts.ts';
import { Alert } from '../../ui/basics/alert.tsx';

/** What the grants of the user fix of a new task; nothing if tasks are not limited. */
export const GrantNotice = ({ template }: { template: Template }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(template.project_id));
  const limits = role?.templates?.find(({ template_id }) => template_id === template.id)?.limits ?? [];
  const { data: inventories = [] } = useQuery({ ...inventoryQuery(template.project_id), enabled: limits.length > 0 });
  if (limits.length === 0) return null;
  const choices = limits.map((limit) => listText(limitTexts(t, limit, inventories)));
  return <Alert colour="wait">{t('grants.youMay', { limits: alternativesText(choices) })}</Alert>;
};
