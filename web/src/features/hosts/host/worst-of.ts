import type { HostRunOutcome, HostTemplate, ListedHost } from '@signalbox/contract';

/** From harmless to bad. */
const RANKS: readonly HostRunOutcome[] = ['ok', 'stopped', 'changed', 'failed', 'unreachable'];

/** How the templates of a host last ended, as the list of hosts answers it. */
export const worstOf = (
  templates: readonly Pick<HostTemplate, 'outcome'>[],
): Pick<ListedHost, 'outcome' | 'template_count' | 'failed_count'> => ({
  outcome: RANKS[Math.max(-1, ...templates.map(({ outcome }) => RANKS.indexOf(outcome)))] ?? null,
  template_count: templates.length,
  failed_count: templates.filter(({ outcome }) => outcome === 'failed' || outcome === 'unreachable').length,
});
