import { useParams, useSearch } from '@tanstack/react-router';
import { FailuresPage } from '../../features/failures/failures-page.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import type { ListSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

export const FailuresRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort }: ListSearch = useSearch({ strict: false });
  return <FailuresPage key={projectId} project={projectId} state={{ q, sort }} onState={useListUrl<ListState>()} />;
};
