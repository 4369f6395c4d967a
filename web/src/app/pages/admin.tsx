import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userQuery } from '../../api/queries.ts';
import { InstallationStoragePage } from '../../features/storage/installation-storage-page.tsx';
import { RunnerPage } from '../../features/system/runner-page.tsx';
import { RunnersPage } from '../../features/system/runners-page.tsx';
import { SystemPage } from '../../features/system/system-page.tsx';
import { SystemRoles } from '../../features/team/roles/system-roles.tsx';
import { TokensPage } from '../../features/users/tokens-page.tsx';
import { UsersPage } from '../../features/users/users-page.tsx';
import { iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import { EmptyState, PageHeader } from '../../ui/page/page.tsx';
import type { ListSearch } from '../search.ts';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

interface AdminPageProps {
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

/** A page of the whole installation: without the drawer, with a link back to the last project. */
const AdminRoute = ({ page: Page }: { page: ComponentType<AdminPageProps> }) => {
  const { t } = useTranslation();
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data: user } = useSuspenseQuery(userQuery());
  const back = (
    <Link to="/" className={iconButtonClass()} aria-label={t('shell.back')} data-tooltip={t('shell.back')}>
      <Icon name="back" />
    </Link>
  );
  const change = (state: ListState) =>
    void navigate({ to: '.', search: (search: ListSearch) => ({ ...search, ...state }), replace: true });
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        {user.admin ? (
          <Page back={back} state={{ q, sort }} onState={change} />
        ) : (
          <>
            <PageHeader title={t('notFound.title')} before={back} />
            <EmptyState title={t('notFound.admins')} text={t('notFound.adminsText')}>
              <Link to="/">{t('notFound.home')}</Link>
            </EmptyState>
          </>
        )}
      </main>
    </>
  );
};

export const UsersRoute = () => <AdminRoute page={UsersPage} />;
export const SystemRolesRoute = () => <AdminRoute page={SystemRoles} />;
export const TokensRoute = () => <AdminRoute page={TokensPage} />;
export const SystemRoute = () => <AdminRoute page={SystemPage} />;
export const InstallationStorageRoute = () => <AdminRoute page={InstallationStoragePage} />;
export const RunnersRoute = () => <AdminRoute page={RunnersPage} />;

/** The page of one runner, with a link back to the list. */
const OneRunner = () => {
  const { t } = useTranslation();
  const { runnerId = 0 } = useParams({ strict: false });
  const navigate = useNavigate();
  return (
    <>
      <Breadcrumb>
        <Link to="/runners">{t('runners.title')}</Link>
      </Breadcrumb>
      <RunnerPage id={runnerId} key={runnerId} onRemoved={async () => await navigate({ to: '/runners' })} />
    </>
  );
};

export const RunnerRoute = () => <AdminRoute page={OneRunner} />;
