import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AccessPage } from '../../features/access/access-page.tsx';
import { iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { FIXED_VALUES } from './launch-form.ts';

export const TemplateAccessRoute = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { templateId = 0 } = useParams({ strict: false });
  return (
    <AccessPage
      key={templateId}
      project={projectId}
      template={templateId}
      fixed={FIXED_VALUES}
      back={
        <Link
          to="/project/$projectId/templates/$templateId"
          params={{ projectId, templateId }}
          search={{}}
          className={iconButtonClass()}
          aria-label={t('grants.back')}
          title={t('grants.back')}
        >
          <Icon name="back" />
        </Link>
      }
    />
  );
};
