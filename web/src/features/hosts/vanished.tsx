import { useTranslation } from 'react-i18next';
import { dayText } from '../../lang/locale.ts';
import { exactTime } from '../../ui/time/time.ts';
import css from './hosts.module.css';

/** Since when no inventory has the host; nothing for other hosts. */
export const Vanished = ({ since }: { since: string | null }) => {
  const { t } = useTranslation();
  if (since === null) return null;
  return (
    <small className={css.vanished} title={`${t('hosts.vanishedHelp')} ${exactTime(since)}`}>
      {t('hosts.vanishedSince', { date: dayText(new Date(since)) })}
    </small>
  );
};
