import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { systemRolesQuery } from '../../../api/access-queries.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import type { ListState } from '../../../ui/lists/list-state.ts';
import { roleRows } from './role-rows.ts';
import { RolesPage } from './roles-page.tsx';

interface SystemRolesProps {
  /** Link back to the project. */
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The roles that members of every project can have, for administrators. */
export const SystemRoles = ({ back, state, onState }: SystemRolesProps) => {
  const query = useQuery(systemRolesQuery());
  return (
    <RolesPage
      before={back}
      roles={query.data && roleRows(query.data, () => true)}
      members={undefined}
      mayEdit
      create={(body) => call('createSystemRole', { body })}
      update={(role_id, body) => call('updateSystemRole', { params: { role_id }, body })}
      remove={(role_id) => call('deleteSystemRole', { params: { role_id } })}
      stale={queryKey.systemRoles}
      error={query.error}
      onRetry={() => void query.refetch()}
      state={state}
      onState={onState}
    />
  );
};
