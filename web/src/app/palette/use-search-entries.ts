import { MAX_HITS } from 'virtual:routes';
import { useDebouncedValue } from '@mantine/hooks';
import type { SearchHit } from '@signalbox/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { IconName } from '../../ui/basics/icon.tsx';
import type { PaletteEntry } from './palette-entries.ts';

/** Time without typing after which the search is sent, in milliseconds. */
const DELAY_MS = 150;
const MAX_LENGTH = 100;

export type OpenHit = (hit: SearchHit) => void;

const KINDS = {
  template: { icon: 'templates', heading: 'templates.title' },
  task: { icon: 'task', heading: 'palette.tasks' },
  host: { icon: 'runner', heading: 'palette.hosts' },
  inventory: { icon: 'inventory', heading: 'inventory.title' },
  key: { icon: 'key', heading: 'keys.title' },
  repository: { icon: 'repository', heading: 'repositories.title' },
  environment: { icon: 'environment', heading: 'environment.title' },
  schedule: { icon: 'calendar', heading: 'schedules.title' },
} as const satisfies Record<SearchHit['kind'], { icon: IconName; heading: string }>;

const titleOf = ({ kind, id, name, detail }: SearchHit): string =>
  [kind === 'task' ? `#${id} ${name}` : name, detail].filter(Boolean).join(' · ');

/** The objects of all projects of the user that match the typed text, grouped by kind. */
export const useSearchEntries = (typed: string, project: number, onHit: OpenHit) => {
  const { t } = useTranslation();
  const wanted = typed.trim().slice(0, MAX_LENGTH);
  const [q] = useDebouncedValue(wanted, DELAY_MS);
  const query = useQuery({
    queryKey: ['search', project, q],
    queryFn: ({ signal }) => call('search', { query: { q, project_id: project }, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const hits = wanted === '' || q === '' ? [] : (query.data ?? []);
  const counts = Map.groupBy(hits, ({ kind }) => kind);
  /** The heading of a kind. The server answers at most so many of each. */
  const headingOf = (kind: SearchHit['kind']): string =>
    [
      t(KINDS[kind].heading),
      (counts.get(kind)?.length ?? 0) < MAX_HITS ? '' : t('palette.firstHits', { number: MAX_HITS }),
    ]
      .filter(Boolean)
      .join(t('separator.comma'));
  const entries = hits.map(
    (hit): PaletteEntry => ({
      // The same as that of the entry which the palette has without a search for a template of the project.
      id: `${hit.kind}-${hit.id}`,
      icon: KINDS[hit.kind].icon,
      title: titleOf(hit),
      kind: hit.project_id === project ? '' : hit.project_name,
      group: headingOf(hit.kind),
      status: hit.kind === 'template' ? (hit.status ?? undefined) : undefined,
      open: () => onHit(hit),
    }),
  );
  return { entries, isSearching: wanted !== q || query.isFetching };
};
