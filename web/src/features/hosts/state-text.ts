import type { HostRunOutcome } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { numberText } from '../../lang/locale.ts';
import { OUTCOMES } from './host/outcome.ts';

interface State {
  readonly outcome: HostRunOutcome | null;
  readonly template_count: number;
  readonly failed_count: number;
}

/** How the templates of a host last ended. A failure of one counts, even if the last run succeeded. */
export const stateText = (t: TFunction, { outcome, template_count, failed_count }: State): string => {
  if (outcome === null) return '–';
  if (outcome === 'changed') return t('hosts.changedState');
  if (failed_count === 0 || template_count === 1) return t(OUTCOMES[outcome].labelKey);
  return t('hosts.failedOf', {
    failed: numberText(failed_count),
    total: numberText(template_count),
    count: template_count,
  });
};
