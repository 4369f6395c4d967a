import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/basics/button.tsx';
import type { LogTimes } from './log-times.ts';

const TIMES_LABELS: Readonly<Record<LogTimes, string>> = {
  off: 'log.timesOff',
  clock: 'log.timesClock',
  relative: 'log.timesRelative',
};

export interface LogToolsProps {
  isSearching: boolean;
  onSearch: () => void;
  /** Undefined if nothing failed. */
  onFirstError: (() => void) | undefined;
  isWrapped: boolean;
  onWrap: () => void;
  times: LogTimes;
  onTimes: () => void;
  isFolded: boolean;
  canFold: boolean;
  onFold: () => void;
}

/** The toolbar of the log. */
export const LogTools = (props: LogToolsProps) => {
  const { t } = useTranslation();
  const times = t(TIMES_LABELS[props.times]);
  return (
    <>
      {props.onFirstError ? <IconButton icon="alert" label={t('log.firstError')} onClick={props.onFirstError} /> : null}
      <IconButton
        icon="search"
        label={t('log.search')}
        keys="Ctrl F"
        aria-pressed={props.isSearching}
        onClick={props.onSearch}
      />
      <IconButton icon="wrap" label={t('log.wrap')} aria-pressed={props.isWrapped} onClick={props.onWrap} />
      <IconButton icon="clock" label={times} aria-pressed={props.times !== 'off'} onClick={props.onTimes} />
      <IconButton
        icon="fold"
        label={t('log.foldAll')}
        aria-pressed={props.isFolded}
        disabled={!props.canFold}
        onClick={props.onFold}
      />
    </>
  );
};
