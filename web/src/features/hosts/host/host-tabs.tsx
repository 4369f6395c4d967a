import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { Tabs } from '../../../ui/page/page.tsx';

export const HOST_TABS = ['overview', 'runs', 'changes', 'facts', 'failures'] as const;
export type HostTab = (typeof HOST_TABS)[number];

const LABELS: Readonly<Record<HostTab, string>> = {
  overview: 'overview.title',
  runs: 'hostPage.runs',
  changes: 'hostPage.changes',
  facts: 'hostPage.facts',
  failures: 'failures.title',
};

interface HostTabsProps {
  project: number;
  host: number;
  tab: HostTab;
  counts: Partial<Readonly<Record<HostTab, number>>>;
}

/** The tabs of a host. Each is a link to an address of its own. */
export const HostTabs = ({ project, host, tab, counts }: HostTabsProps) => {
  const { t } = useTranslation();
  return (
    <Tabs label={t('hostPage.parts')}>
      {HOST_TABS.map((name) => (
        <Link
          key={name}
          to="/project/$projectId/hosts/$hostId"
          params={{ projectId: project, hostId: host }}
          search={name === 'overview' ? {} : { show: name }}
          aria-current={name === tab ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t(LABELS[name])}
          {counts[name] === undefined ? null : <small>{numberText(counts[name])}</small>}
        </Link>
      ))}
    </Tabs>
  );
};
