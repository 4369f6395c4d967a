import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { playbooksQuery, repositoriesQuery, roleQuery, templatesQuery } from '../../../api/queries.ts';
import { mayDo } from '../../../ui/access/permissions.ts';
import { Breadcrumb } from '../../../ui/page/breadcrumb.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../../ui/page/not-found-notice.tsx';
import { EmptyState, PageHeader } from '../../../ui/page/page.tsx';
import { PlaybookChoice } from './playbook-choice.tsx';
import css from './playbooks.module.css';

interface PlaybooksPageProps {
  project: number;
  repository: number;
  onCreated: (ids: readonly number[]) => void;
}

/** The playbooks that a runner finds in a repository, which become templates. */
export const PlaybooksPage = ({ project, repository, onCreated }: PlaybooksPageProps) => {
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const item = repositories?.find(({ id }) => id === repository);
  const {
    data: scan,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...playbooksQuery(project, repository),
    enabled: item !== undefined,
  });
  const mayCreate = mayDo(role, 'edit_templates');
  const params = { projectId: project };
  if (repositories && !item)
    return (
      <NotFoundNotice what="page">
        <Link to="/project/$projectId/repositories" params={params} search={{}}>
          {t('repositories.title')}
        </Link>
      </NotFoundNotice>
    );
  return (
    <>
      <Breadcrumb>
        <Link to="/project/$projectId/repositories" params={params} search={{}}>
          {t('repositories.title')}
        </Link>
        {item ? (
          <Link to="/project/$projectId/repositories" params={params} search={{ edit: item.id }}>
            {item.name}
          </Link>
        ) : null}
      </Breadcrumb>
      <PageHeader title={t('playbooks.title')} />
      {item && ((error && !isFetching) || scan?.playbooks.length === 0) ? (
        <p className={css.text}>
          <Link to="/project/$projectId/repositories" params={params} search={{ edit: item.id }}>
            {t('list.edit', { name: item.name })}
          </Link>
        </p>
      ) : null}
      {error && !isFetching ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      {scan === undefined && isFetching ? (
        <p className={css.text} role="status">
          {t('playbooks.finding')}
        </p>
      ) : null}
      {scan?.playbooks.length === 0 ? (
        <EmptyState title={t('playbooks.emptyTitle')} text={t('playbooks.emptyText')} />
      ) : null}
      {scan && templates && role && scan.playbooks.length > 0 ? (
        <>
          {mayCreate ? <p className={css.text}>{t('playbooks.text')}</p> : null}
          {scan.complete ? null : <p className={css.text}>{t('playbooks.incomplete')}</p>}
          <PlaybookChoice key={repository} {...{ project, repository, scan, templates, mayCreate, onCreated }} />
        </>
      ) : null}
    </>
  );
};
