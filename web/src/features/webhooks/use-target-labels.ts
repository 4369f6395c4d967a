import type { Template, WebhookExtractor } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { TARGET_LABELS } from './webhook-labels.ts';

/** Returns the label of what a value becomes: the title of a survey variable, or an option of the task. */
export const useTargetLabels = ({ survey_vars }: Template) => {
  const { t } = useTranslation();
  return ({ target, variable }: Pick<WebhookExtractor, 'target' | 'variable'>): string =>
    target === 'answer'
      ? survey_vars.find(({ name }) => name === variable)?.title || variable
      : t(TARGET_LABELS[target]);
};
