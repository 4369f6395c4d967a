import type { Runner } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import table from '../../ui/lists/table.module.css';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';

type State = Pick<Runner, 'connected' | 'draining' | 'paused'>;

/** The state of a runner as text. A paused runner that is not connected is named both. */
export const runnerStateText = (t: TFunction, { connected, draining, paused }: State): string =>
  [
    ...(connected ? [] : [t('runners.away')]),
    ...(connected && draining ? [t('runners.draining')] : []),
    ...(paused ? [t('runners.paused')] : []),
    ...(connected && !draining && !paused ? [t('runners.connected')] : []),
  ].join(t('separator.comma'));

/** The state of a runner with its icon. */
export const RunnerState = ({ runner }: { runner: State }) => {
  const { t } = useTranslation();
  const { connected, draining, paused } = runner;
  return (
    <span className={table.cell}>
      <StatusIcon
        colour={connected ? (draining || paused ? 'stop' : 'ok') : 'error'}
        shape={connected ? (paused ? 'bars' : 'check') : 'cross'}
      />
      {runnerStateText(t, runner)}
    </span>
  );
};
