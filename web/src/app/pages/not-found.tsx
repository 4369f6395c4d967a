import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '../../api/queries.ts';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { PageHeader } from '../../ui/page/page.tsx';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

/** The page for a URL that does not exist. */
export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <main className={css.main}>
      <PageHeader title={t('notFound.title')} />
      <NotFoundNotice what="page">
        <Link to="/">{t('notFound.home')}</Link>
      </NotFoundNotice>
    </main>
  );
};

/** Shown for a project that does not exist or that the user has no access to; offers the user's own projects. */
export const NoSuchProject = () => {
  const { t } = useTranslation();
  const { data: projects = [] } = useQuery(projectsQuery());
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <PageHeader title={t('notFound.title')} />
        <NotFoundNotice what="project">
          {projects.length === 0 ? <Link to="/">{t('notFound.home')}</Link> : null}
          <ul className={css.projects}>
            {projects.map(({ id, name }) => (
              <li key={id}>
                <Link to="/project/$projectId/history" params={{ projectId: id }} search={{}}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </NotFoundNotice>
      </main>
    </>
  );
};

/** Shown for a page that a project does not have. The drawer stays visible. */
const NoSuchPage = () => {
  const { t } = useTranslation();
  const { projectId = 0 } = useParams({ strict: false });
  return (
    <>
      <PageHeader title={t('notFound.title')} />
      <NotFoundNotice what="page">
        <Link to="/project/$projectId/history" params={{ projectId }} search={{}}>
          {t('notFound.history')}
        </Link>
      </NotFoundNotice>
    </>
  );
};

/** Shown below a project when the project itself, or one of its pages, does not exist. */
export const NotInProject = ({ data }: { data?: unknown }) => (data === 'project' ? <NoSuchProject /> : <NoSuchPage />);
