import type { WebhookResult } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import type { StatusColour, StatusShape } from '../../ui/tasks/status.ts';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { RESULT_LABELS } from './webhook-labels.ts';
import css from './webhooks.module.css';

const STYLES: Readonly<Record<WebhookResult, readonly [StatusColour, StatusShape]>> = {
  started: ['ok', 'check'],
  replayed: ['wait', 'clock'],
  no_match: ['wait', 'dashed'],
  paused: ['stop', 'square'],
  refused: ['error', 'cross'],
};

/** What became of a call, as icon and text. */
export const CallResult = ({ result }: { result: WebhookResult }) => {
  const { t } = useTranslation();
  const [colour, shape] = STYLES[result];
  return (
    <span className={css.became} data-result={result}>
      <StatusIcon colour={colour} shape={shape} />
      {t(RESULT_LABELS[result])}
    </span>
  );
};
