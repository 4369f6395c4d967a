import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PlaybooksPage } from '../../features/templates/playbooks/playbooks-page.tsx';
import { numberText } from '../../lang/locale.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

export const PlaybooksRoute = () => {
  const { t } = useTranslation();
  const { projectId, repositoryId } = useParams({
    from: '/signed/project/$projectId/repositories/$repositoryId/playbooks',
  });
  const navigate = useNavigate();
  return (
    <PlaybooksPage
      key={repositoryId}
      project={projectId}
      repository={repositoryId}
      onCreated={(ids) => {
        showToast('ok', t('playbooks.created', { count: ids.length, number: numberText(ids.length) }));
        void navigate({ to: '/project/$projectId/templates', params: { projectId }, search: {} });
      }}
    />
  );
};
