import { useTranslation } from 'react-i18next';
import { useBadgeLink } from '../../../api/use-public-link.ts';
import { PublicAddress } from '../../../ui/basics/public-address.tsx';

/** Makes and revokes the address of the badge of a template, at once and not with the form. */
export const BadgeSetting = ({ project, template }: { project: number; template: number }) => {
  const { t } = useTranslation();
  return <PublicAddress {...useBadgeLink(project, template)} help={t('publicLink.badgeHelp')} />;
};
