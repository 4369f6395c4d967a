import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/page/page.tsx';

/** Shown while a project has no template: what templates are for, and the first step. */
export const NoTemplates = () => {
  const { t } = useTranslation();
  const { data: user } = useSuspenseQuery(userQuery());
  return (
    <EmptyState title={t('templates.emptyTitle')} text={t('templates.emptyText')}>
      {user.can_create_project ? <Link to="/project/new">{t('templates.demo')}</Link> : null}
    </EmptyState>
  );
};
