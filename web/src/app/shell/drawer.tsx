import { ACTIVE_STATUSES } from 'virtual:routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tasksQuery } from '../../api/queries.ts';
import { Icon, type IconName } from '../../ui/basics/icon.tsx';
import { Logo } from '../../ui/basics/logo.tsx';
import { storage } from '../../ui/browser/storage.ts';
import { LanguageMenu } from '../../ui/menus/language-menu.tsx';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { screenTooltip } from '../project-screens.ts';
import { ProjectSwitcher } from './project-switcher.tsx';
import css from './shell.module.css';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from './user-menu.tsx';

const Entry = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <>
    <Icon name={icon} />
    {children}
  </>
);

const RunningCount = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: count = 0 } = useInfiniteQuery({
    ...tasksQuery(project),
    select: ({ pages }) =>
      (pages[0] ?? []).filter(({ status }) => (ACTIVE_STATUSES as readonly string[]).includes(status)).length,
  });
  if (count === 0) return null;
  const label = t('shell.runningNow', { count });
  return (
    <span className={css.running} title={label}>
      <StatusIcon colour="active" shape="arc" size={14} />
      <span aria-hidden="true">{count}</span>
      <span className="sr">{label}</span>
    </span>
  );
};

const RESOURCES = [
  { to: '/project/$projectId/inventory', path: 'inventory', icon: 'inventory', labelKey: 'inventory.title' },
  { to: '/project/$projectId/environment', path: 'environment', icon: 'environment', labelKey: 'environment.title' },
  { to: '/project/$projectId/keys', path: 'keys', icon: 'key', labelKey: 'keys.title' },
  { to: '/project/$projectId/repositories', path: 'repositories', icon: 'repository', labelKey: 'repositories.title' },
  { to: '/project/$projectId/team', path: 'team', icon: 'team', labelKey: 'team.title' },
] as const;

const ON_DASHBOARD = ['overview', 'history', 'activity', 'hosts', 'settings', 'storage', 'billing', 'tasks'];
const ON_TEMPLATES = ['templates', 'views'];

/** The links of a project. Each page that exists has one. */
const Links = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  // The part of the path after the project, such as `templates`.
  const part = useMatches({ select: (matches) => matches.at(-1)?.fullPath.split('/')[3] ?? '' });
  const params = { projectId: project };
  const view = storage.lastView(project);
  const templates = <Entry icon="templates">{t('shell.templates')}</Entry>;
  const current = ON_TEMPLATES.includes(part) ? ('page' as const) : undefined;
  return (
    <nav className={css.nav} aria-label={t('shell.project')}>
      <Link
        to="/project/$projectId/overview"
        params={params}
        search={{}}
        {...screenTooltip(t, 'history')}
        aria-current={ON_DASHBOARD.includes(part) ? 'page' : undefined}
      >
        <Entry icon="dashboard">
          <span>{t('shell.dashboard')}</span>
          <RunningCount project={project} />
        </Entry>
      </Link>
      {view === undefined ? (
        <Link
          to="/project/$projectId/templates"
          params={params}
          search={{}}
          aria-current={current}
          {...screenTooltip(t, 'templates')}
        >
          {templates}
        </Link>
      ) : (
        <Link
          to="/project/$projectId/views/$viewId/templates"
          params={{ ...params, viewId: view }}
          search={{}}
          aria-current={current}
          {...screenTooltip(t, 'templates')}
        >
          {templates}
        </Link>
      )}
      <Link to="/project/$projectId/failures" params={params} search={{}} {...screenTooltip(t, 'failures')}>
        <Entry icon="alert">{t('failures.title')}</Entry>
      </Link>
      <Link to="/project/$projectId/schedules" params={params} search={{}} {...screenTooltip(t, 'schedules')}>
        <Entry icon="calendar">{t('schedules.title')}</Entry>
      </Link>
      <Link to="/project/$projectId/webhooks" params={params} search={{}} {...screenTooltip(t, 'webhooks')}>
        <Entry icon="webhook">{t('webhooks.title')}</Entry>
      </Link>
      {RESOURCES.map(({ to, path, icon, labelKey }) => (
        <Link key={to} to={to} params={params} search={{}} {...screenTooltip(t, path)}>
          <Entry icon={icon}>{t(labelKey)}</Entry>
        </Link>
      ))}
    </nav>
  );
};

export interface DrawerContentProps {
  project: number;
  /** Colour of the arm of the logo. */
  arm: string | undefined;
  onSearch: () => void;
}

/** The content of the drawer, for wide and narrow windows. */
export const DrawerContent = ({ project, arm, onSearch }: DrawerContentProps) => {
  const { t } = useTranslation();
  return (
    <>
      <div className={css.brand}>
        <Logo armColour={arm} />
        <span>{t('product')}</span>
      </div>
      <ProjectSwitcher project={project} />
      <button type="button" className={css.find} onClick={onSearch}>
        <Icon name="search" />
        <span className="grow">{t('palette.open')}</span>
        <kbd>{'Ctrl K'}</kbd>
      </button>
      <Links project={project} />
      <div className={css.foot}>
        <UserMenu />
        <LanguageMenu position="top-end" />
        <ThemeSwitch />
      </div>
    </>
  );
};
