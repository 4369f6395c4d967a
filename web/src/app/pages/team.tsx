import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ProjectRoles } from '../../features/team/roles/project-roles.tsx';
import { TeamPage } from '../../features/team/team-page.tsx';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import type { ListSearch } from '../search.ts';

/** The roles of the project, below its team. */
export const RolesRoute = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <>
      <Breadcrumb>
        <Link to="/project/$projectId/team" params={{ projectId }}>
          {t('team.title')}
        </Link>
      </Breadcrumb>
      <ProjectRoles
        key={projectId}
        project={projectId}
        state={{ q, sort }}
        onState={(state) =>
          void navigate({ to: '.', search: (search: ListSearch) => ({ ...search, ...state }), replace: true })
        }
      />
    </>
  );
};

export const TeamRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <TeamPage
      key={projectId}
      project={projectId}
      state={{ q, sort }}
      onState={(state) =>
        void navigate({ to: '.', search: (search: ListSearch) => ({ ...search, ...state }), replace: true })
      }
    />
  );
};
