import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { webhooksQuery } from '../../../api/queries.ts';
import css from './template-form.module.css';

/** Leads to the webhooks of a template, or to the form of its first one. */
export const WebhooksLink = ({ project, template }: { project: number; template: number }) => {
  const { t } = useTranslation();
  const { data } = useQuery(webhooksQuery(project));
  const isNone = data?.some(({ template_id }) => template_id === template) === false;
  const search = { template };
  return (
    <p className={css.remark}>
      {t('webhooks.ofTemplateHelp')}{' '}
      {isNone ? (
        <Link
          to="/project/$projectId/webhooks/$webhookId"
          params={{ projectId: project, webhookId: 'new' }}
          search={search}
        >
          {t('webhooks.add')}
        </Link>
      ) : (
        <Link to="/project/$projectId/webhooks" params={{ projectId: project }} search={search}>
          {t('webhooks.open')}
        </Link>
      )}
    </p>
  );
};
