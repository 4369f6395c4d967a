import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { templateQuery } from '../../api/queries.ts';
import { AccessPage } from '../../features/access/access-page.tsx';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import { FIXED_VALUES } from './launch-form.ts';

export const TemplateAccessRoute = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { templateId = 0 } = useParams({ strict: false });
  const { data: template } = useQuery(templateQuery(projectId, templateId));
  return (
    <>
      <Breadcrumb>
        <Link to="/project/$projectId/templates" params={{ projectId }} search={{}}>
          {t('templates.title')}
        </Link>
        <Link
          title={template?.name}
          to="/project/$projectId/templates/$templateId"
          params={{ projectId, templateId }}
          search={{}}
        >
          {template?.name ?? t('template.title')}
        </Link>
      </Breadcrumb>
      <AccessPage key={templateId} project={projectId} template={templateId} fixed={FIXED_VALUES} />
    </>
  );
};
