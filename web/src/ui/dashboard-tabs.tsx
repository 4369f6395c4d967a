import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Tabs } from './page.tsx';

/** The parts of a project's dashboard. */
export const DashboardTabs = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const params = { projectId: project };
  return (
    <Tabs label={t('history.dashboard')}>
      <Link to="/project/$projectId/history" params={params} search={{}}>
        {t('history.title')}
      </Link>
      <Link to="/project/$projectId/hosts" params={params} search={{}}>
        {t('hosts.title')}
      </Link>
    </Tabs>
  );
};
