import type { Runner } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import table from '../../ui/lists/table.module.css';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import css from './runner-page.module.css';

type State = Pick<Runner, 'connected' | 'draining' | 'paused'>;

/** The texts of the state of a runner. A paused one that drains or is not connected has two. */
const runnerStates = (t: TFunction, { connected, draining, paused }: State): string[] => [
  ...(connected ? [] : [t('runners.away')]),
  ...(connected && draining ? [t('runners.draining')] : []),
  ...(paused ? [t('runners.paused')] : []),
  ...(connected && !draining && !paused ? [t('runners.connected')] : []),
];

/** The state of a runner in one line. */
export const runnerStateText = (t: TFunction, runner: State): string =>
  runnerStates(t, runner).join(t('separator.comma'));

/** The state of a runner with its icon. */
export const RunnerState = ({ runner }: { runner: State }) => {
  const { t } = useTranslation();
  const { connected, draining, paused } = runner;
  return (
    <div className={css.state}>
      {runnerStates(t, runner).map((text, index) => (
        <span key={text} className={table.cell}>
          {index === 0 ? (
            <StatusIcon
              colour={connected ? (draining || paused ? 'stop' : 'ok') : 'error'}
              shape={connected ? (paused ? 'bars' : 'check') : 'cross'}
            />
          ) : null}
          {text}
        </span>
      ))}
    </div>
  );
};
