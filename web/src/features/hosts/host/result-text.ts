import type { HostTemplate } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { numberText } from '../../../lang/locale.ts';
import { failureText } from '../../../ui/tasks/failure-text.ts';

/** What the last run of a template did on the host: why it failed, or what it changed. */
export const resultText = (t: TFunction, { outcome, cause, title, changed }: HostTemplate): string => {
  // The label names the outcome, so the text has the reason only.
  if (outcome === 'failed' || outcome === 'unreachable') return failureText(t, { cause, title, result: 'failed' });
  if (outcome === 'ok') return t('hostPage.noChange');
  return changed > 0 ? t('hostPage.changedSteps', { count: changed, number: numberText(changed) }) : '';
};
