import { useTranslation } from 'react-i18next';
import { alternativesText } from '../../../lang/locale.ts';
import css from './matrix.module.css';

/** Groups that are named. */
const NAMED = 12;

/** That parts of a search are neither a group nor a host, and which groups exist. */
export const UnknownGroup = ({ parts, groups }: { parts: readonly string[]; groups: readonly string[] }) => {
  const { t } = useTranslation();
  if (parts.length === 0) return null;
  const more = groups.length - NAMED;
  return (
    <p className={css.nothing} role="status">
      {t('matrix.unknownGroup', { names: alternativesText(parts) })}{' '}
      {groups.length === 0 ? t('matrix.noGroups') : t('matrix.groups', { names: groups.slice(0, NAMED).join(', ') })}
      {more > 0 ? ` ${t('since.more', { count: more })}` : null}
    </p>
  );
};
