import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ProjectRoles } from '../../features/team/roles/project-roles.tsx';
import { TeamPage } from '../../features/team/team-page.tsx';
import { iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { ListSearch } from '../search.ts';

/** The roles of the project, with a link back to its team. */
export const RolesRoute = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <ProjectRoles
      key={projectId}
      project={projectId}
      back={
        <Link
          to="/project/$projectId/team"
          params={{ projectId }}
          className={iconButtonClass()}
          aria-label={t('roles.back')}
          title={t('roles.back')}
        >
          <Icon name="back" />
        </Link>
      }
      state={{ q, sort }}
      onState={(state) =>
        void navigate({ to: '.', search: (search: ListSearch) => ({ ...search, ...state }), replace: true })
      }
    />
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
