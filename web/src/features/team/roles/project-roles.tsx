import { useQuery } from '@tanstack/react-query';
import { rolesQuery } from '../../../api/access-queries.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { roleQuery, teamQuery } from '../../../api/queries.ts';
import { mayDo } from '../../../ui/access/permissions.ts';
import type { ListState } from '../../../ui/lists/list-state.ts';
import { roleRows } from './role-rows.ts';
import { RolesPage } from './roles-page.tsx';

interface ProjectRolesProps {
  project: number;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The roles that members of a project can have. Owners add roles of the project. */
export const ProjectRoles = ({ project, state, onState }: ProjectRolesProps) => {
  const query = useQuery(rolesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const { data: members = [] } = useQuery(teamQuery(project));
  const params = { project_id: project };
  return (
    <RolesPage
      roles={query.data && roleRows(query.data, ({ of_system }) => !of_system)}
      members={members}
      mayEdit={mayDo(role, 'manage_users')}
      create={(body) => call('createRole', { params, body })}
      update={(role_id, body) => call('updateRole', { params: { ...params, role_id }, body })}
      remove={(role_id) => call('deleteRole', { params: { ...params, role_id } })}
      stale={queryKey.project(project)}
      error={query.error}
      onRetry={() => void query.refetch()}
      state={state}
      onState={onState}
    />
  );
};
