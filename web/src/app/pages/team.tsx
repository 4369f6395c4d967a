import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { TeamPage } from '../../features/team/team-page.tsx';
import type { ListSearch } from '../search.ts';

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
