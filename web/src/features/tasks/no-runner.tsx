import type { AppName } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { infoQuery } from '../../api/queries.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { Alert } from '../../ui/basics/alert.tsx';

const ASK_AGAIN_MS = 10_000;

/** Notice that a waiting task can't start: no runner is connected, or none that has the app of the task. */
export const NoRunner = ({ app }: { app: AppName }) => {
  const { t } = useTranslation();
  const { title } = usePageApp(app);
  const { data } = useQuery({ ...infoQuery(), refetchInterval: ASK_AGAIN_MS });
  if (!data) return null;
  if (data.runners === 0) return <Alert colour="stop">{t('system.noRunner')}</Alert>;
  if (data.apps.some(({ name }) => name === app)) return null;
  return <Alert colour="stop">{t('system.noRunnerWithApp', { app: title })}</Alert>;
};
