import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ENVIRONMENTS } from '../../features/resources/environments.tsx';
import { INVENTORIES } from '../../features/resources/inventories.tsx';
import { KEYS } from '../../features/resources/keys.tsx';
import { REPOSITORIES } from '../../features/resources/repositories.tsx';
import {
  type Resource,
  ResourcePage,
  type ResourceState,
  type ResourceTraits,
} from '../../features/resources/resource-page.tsx';
import type { ListSearch } from '../search.ts';

/** The page of one kind of resource. Its state is in the URL. */
const ResourceRoute = <T extends Resource>({ kind }: { kind: ResourceTraits<T> }) => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort, edit }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (state: ResourceState) =>
    void navigate({
      to: '.',
      search: (search: ListSearch) => ({ ...search, ...state }),
      // Typing in the filter replaces the history entry; opening a form adds one.
      replace: state.edit === undefined,
      resetScroll: false,
    });
  return <ResourcePage kind={kind} project={projectId} state={{ q, sort, edit }} onState={change} key={projectId} />;
};

export const InventoryRoute = () => <ResourceRoute kind={INVENTORIES} />;
export const EnvironmentRoute = () => <ResourceRoute kind={ENVIRONMENTS} />;
export const KeysRoute = () => <ResourceRoute kind={KEYS} />;
export const RepositoriesRoute = () => <ResourceRoute kind={REPOSITORIES} />;
