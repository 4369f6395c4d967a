import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { infoQuery } from '../../api/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';

const ASK_AGAIN_MS = 10_000;

/** Notice that a waiting task can't start because no runner is connected. */
export const NoRunner = () => {
  const { t } = useTranslation();
  const { data } = useQuery({ ...infoQuery(), refetchInterval: ASK_AGAIN_MS });
  return data?.runners === 0 ? <Alert lamp="stop">{t('system.noRunner')}</Alert> : null;
};
