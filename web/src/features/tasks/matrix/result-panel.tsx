import type { Task } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { Button, IconButton } from '../../../ui/basics/button.tsx';
import { TextButton } from '../../../ui/basics/text-button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { clockTime, durationText } from '../../../ui/time/time.ts';
import { copyText } from '../../../ui/toast/copy-text.ts';
import { ResultShape } from '../hosts/result-cell.tsx';
import { RESULT_LABELS } from '../hosts/result-side.tsx';
import { RunOnHosts } from '../hosts/run-on-hosts.tsx';
import { LogExcerpt } from '../log/log-excerpt.tsx';
import type { LogSource } from '../log/log-source.ts';
import type { HostOutcome, Run } from '../results/run-model.ts';
import { emptyKey, type OpenedCell } from './chosen-cell.ts';
import type { MatrixHost } from './matrix-host.ts';
import css from './result-panel.module.css';
import { ResultTabs } from './result-tabs.tsx';
import { ResultValues } from './result-values.tsx';
import { useOutcome, useResultText } from './use-result.ts';

/** Log lines before and after a result in another format than that of Ansible that are shown. */
const [BEFORE, AFTER] = [4, 2];
/** Number of the last log lines of a result that are shown below its difference, which the lines before them repeat. */
const AFTER_DIFFERENCE = 3;

export interface ResultPanelProps {
  task: Task;
  run: Run;
  log: LogSource;
  cell: OpenedCell;
  onCell: (host: MatrixHost) => void;
  onLine: (line: number) => void;
  onSummary: () => void;
  onRunOn: ((limit: string) => void) | undefined;
  onClose: () => void;
}

interface LinesProps extends Pick<ResultPanelProps, 'log' | 'onLine'> {
  outcome: HostOutcome;
  lines: readonly number[] | undefined;
  isBad: boolean;
}

/** The host of a result, its number among the hosts that are alike, and the way to the others. */
const PanelHead = ({ task, cell, onCell, onClose }: Pick<ResultPanelProps, 'task' | 'cell' | 'onCell' | 'onClose'>) => {
  const { t } = useTranslation();
  const { host, group } = cell;
  const hosts = group?.hosts ?? [host];
  const at = hosts.indexOf(host);
  const other = (offset: number, icon: 'back' | 'next', label: string): ReactNode => {
    const to = hosts[at + offset];
    return <IconButton small icon={icon} label={label} disabled={!to} onClick={() => to && onCell(to)} />;
  };
  return (
    <div className={css.head}>
      <Link to="/project/$projectId/hosts" params={{ projectId: task.project_id }} search={{ q: host.host }}>
        {host.host}
      </Link>
      <span>
        {hosts.length > 1
          ? t('matrix.oneOf', { position: numberText(at + 1), count: hosts.length, number: numberText(hosts.length) })
          : ''}
      </span>
      {hosts.length > 1 ? other(-1, 'back', t('matrix.previousHost')) : null}
      {hosts.length > 1 ? other(1, 'next', t('matrix.nextHost')) : null}
      <IconButton small icon="close" label={t('matrix.close')} onClick={onClose} />
    </div>
  );
};

/** The log lines of a result: only those of its host. Of a result in another format, those around it. */
const ResultLines = ({ log, outcome, lines, isBad, onLine }: LinesProps) => {
  const { line } = outcome;
  const [from, to] = lines ? [lines[0] ?? line, lines.at(-1) ?? line] : [line - BEFORE, line + AFTER];
  // Without its own lines, a skipped host printed nothing.
  if (!lines && (outcome.last_line !== undefined || outcome.result === 'skipped')) return null;
  return <LogExcerpt log={log} from={from} to={to} only={lines} marked={isBad ? [line, to] : [0, 0]} onLine={onLine} />;
};

/** The result of one host and step, with its log lines. */
export const ResultPanel = (props: ResultPanelProps) => {
  const { task, run, log, cell, onCell, onLine, onRunOn, onClose } = props;
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const { host, group, step } = cell;
  const { outcome, error, retry } = useOutcome(task.project_id, task.id, run, cell);
  const { text, lines } = useResultText(task.id, log, outcome);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    };
    const element = panel.current;
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, [onClose]);
  const isEmpty = !outcome && (host.cells[cell.position] ?? '.') === '.';
  const shape = outcome?.rescued ? 'rescued' : outcome?.result;
  const isFailed = shape === 'failed' || shape === 'unreachable';
  const hosts = group?.hosts ?? [host];
  return (
    <aside ref={panel} className={css.panel} aria-label={t('host.result')}>
      <PanelHead task={task} cell={cell} onCell={onCell} onClose={onClose} />
      <h2>{step.name}</h2>
      {error ? <LoadError text={errorText(error)} retry={retry} /> : null}
      {isEmpty ? <p className="muted">{t(emptyKey(step, task))}</p> : null}
      {outcome && shape ? (
        <>
          <p className={css.outcome}>
            <ResultShape result={shape} />
            <span className={css[shape]}>{t(RESULT_LABELS[shape])}</span>
            <small>
              {t('matrix.afterAt', {
                time: durationText(outcome.at - step.at),
                clock: clockTime(outcome.at).slice(0, 8),
              })}
            </small>
          </p>
          <ResultTabs outcome={outcome} text={text} />
          <ResultValues task={task} run={run} step={step} outcome={outcome} text={text} onSummary={props.onSummary} />
          <div className={css.actions}>
            {onRunOn ? (
              <RunOnHosts
                small
                label={t('host.runOn', { count: hosts.length, number: numberText(hosts.length) })}
                limit={async () => limitOf(hosts.map((one) => one.host))}
                onRun={onRunOn}
              />
            ) : null}
            <Button
              small
              variant="quiet"
              icon="copy"
              onClick={() => void copyText([host.host, step.name, outcome.message || text.stdout].join('\n'))}
            >
              {t('matrix.copy')}
            </Button>
          </div>
          {outcome.line > 0 && !task.log_removed ? (
            <>
              <div className={css.logHead}>
                <h3>{t('matrix.log')}</h3>
                <TextButton onClick={() => onLine(outcome.line)}>
                  {t('matrix.openAt', { line: numberText(outcome.line) })}
                </TextButton>
              </div>
              <ResultLines
                log={log}
                outcome={outcome}
                lines={text.diff.length > 0 && !isFailed ? lines?.slice(-AFTER_DIFFERENCE) : lines}
                isBad={isFailed}
                onLine={onLine}
              />
            </>
          ) : null}
        </>
      ) : null}
    </aside>
  );
};
