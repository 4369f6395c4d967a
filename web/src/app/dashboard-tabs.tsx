import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { roleQuery, userQuery } from '../api/queries.ts';
import { canSeeBilling, mayDo } from '../ui/access/permissions.ts';
import { Tabs } from '../ui/page/page.tsx';

/** The tabs of a project's dashboard that the user may open. */
export const DashboardTabs = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(project));
  const { data: user } = useQuery(userQuery());
  const common = { params: { projectId: project }, search: {} };
  return (
    <Tabs label={t('history.dashboard')}>
      <Link to="/project/$projectId/overview" {...common}>
        {t('overview.title')}
      </Link>
      <Link to="/project/$projectId/history" {...common}>
        {t('history.title')}
      </Link>
      <Link to="/project/$projectId/activity" {...common}>
        {t('activity.title')}
      </Link>
      <Link to="/project/$projectId/hosts" {...common}>
        {t('hosts.title')}
      </Link>
      {mayDo(role, 'update_project') ? (
        <Link to="/project/$projectId/settings" {...common}>
          {t('settings.title')}
        </Link>
      ) : null}
      <Link to="/project/$projectId/storage" {...common}>
        {t('storage.title')}
      </Link>
      {canSeeBilling(user, role) ? (
        <Link to="/project/$projectId/billing" {...common}>
          {t('billing.title')}
        </Link>
      ) : null}
    </Tabs>
  );
};
