import type { RunHost } from '@signalbox/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { taskHostsQuery } from '../../../api/run-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { FilterInput } from '../../../ui/lists/filter-input.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import type { Run, Step } from '../results/run-model.ts';
import { ChosenResult } from './chosen-result.tsx';
import { namedLimit } from './host-limit.ts';
import css from './hosts.module.css';
import { Legend } from './legend.tsx';
import { beginsPlay } from './matrix.ts';
import { ResultShape, type ShapeName } from './result-cell.tsx';
import { RESULT_LABELS } from './result-side.tsx';
import { RunOnHosts } from './run-on-hosts.tsx';
import { useRows } from './use-rows.ts';

/** Number of hosts in one request, and number of columns drawn. */
const PAGE = 100;
const COLUMNS = 60;

const SHAPES: Readonly<Record<string, ShapeName>> = {
  o: 'ok',
  c: 'changed',
  f: 'failed',
  i: 'ignored',
  s: 'skipped',
  u: 'unreachable',
  r: 'rescued',
};

interface Cell {
  readonly host: RunHost;
  readonly step: Step;
}

const Row = ({ host, steps, onChoose }: { host: RunHost; steps: readonly Step[]; onChoose: (cell: Cell) => void }) => {
  const { t } = useTranslation();
  const bad = host.failures + host.unreachable;
  return (
    <tr className={bad > 0 ? css.bad : ''}>
      <th scope="row">{host.host}</th>
      {steps.map((step, at) => {
        const shape = SHAPES[host.cells[at] ?? '.'];
        return (
          <td key={step.step} className={beginsPlay(steps, at) ? css.first : undefined}>
            {shape && shape !== 'none' ? (
              <button
                type="button"
                aria-label={t('host.cell', { host: host.host, step: step.name, result: t(RESULT_LABELS[shape]) })}
                onClick={() => onChoose({ host, step })}
              >
                <ResultShape result={shape} />
              </button>
            ) : (
              <span className={css.empty}>
                <ResultShape result="none" />
              </span>
            )}
          </td>
        );
      })}
      <td className={css.num}>{host.ok}</td>
      <td className={css.num}>{host.changed}</td>
      <td className={`${css.num} ${bad > 0 ? css.red : ''}`}>{bad}</td>
    </tr>
  );
};

/** A row whose host is loading. */
const Awaited = ({ columns }: { columns: number }) => (
  <tr>
    <th scope="row">{'\u00a0'}</th>
    <td colSpan={columns + 3} />
  </tr>
);

export interface LongHostsProps {
  project: number;
  task: number;
  run: Run;
  /** Number of results so far. Visible rows are fetched again when it increases. */
  version: number;
  onLine: (line: number) => void;
  /** Runs the task again on some hosts; undefined until the task has ended. */
  onRunOn: ((limit: string) => void) | undefined;
}

/** The matrix of hosts and steps of a long run. Only visible rows are fetched, failed hosts first. */
export const LongHosts = ({ project, task, run, version, onLine, onRunOn }: LongHostsProps) => {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [column, setColumn] = useState(0);
  const [cell, setCell] = useState<Cell>();
  const [total, setTotal] = useState(run.long?.hosts.total ?? 0);
  const { ref, from, to, onScroll, above, below } = useRows(total);
  const steps = useMemo(() => run.steps.slice(column, column + COLUMNS), [run.steps, column]);
  const first = Math.floor(from / PAGE);
  const pages = Array.from({ length: Math.max(1, Math.ceil(to / PAGE) - first) }, (_, at) => first + at);
  const asked = useQueries({
    queries: pages.map((page) =>
      taskHostsQuery(project, task, version, {
        from: page * PAGE + 1,
        limit: PAGE,
        name: name === '' ? undefined : name,
        from_step: column + 1,
        step_limit: COLUMNS,
      }),
    ),
  });
  const known = asked[0]?.data?.total;
  if (known !== undefined && known !== total) setTotal(known);
  const failed = asked.find(({ error }) => error);
  const hostAt = (index: number): RunHost | undefined =>
    asked[Math.floor(index / PAGE) - first]?.data?.hosts[index % PAGE];
  return (
    <div className={css.hosts}>
      <div className={css.left}>
        <Legend>
          <FilterInput label={t('host.find')} value={name} onChange={setName} />
          {name !== '' && onRunOn ? (
            <RunOnHosts
              small
              label={t('host.runOn', { count: known ?? 0, number: numberText(known ?? 0) })}
              disabled={!known}
              limit={() => namedLimit({ project_id: project, task_id: task }, name)}
              onRun={onRunOn}
            />
          ) : null}
          {run.steps.length > COLUMNS ? (
            <>
              <Button small disabled={column === 0} onClick={() => setColumn(Math.max(0, column - COLUMNS))}>
                {t('host.earlier')}
              </Button>
              <span>
                {t('host.steps', { first: column + 1, last: column + steps.length, total: run.steps.length })}
              </span>
              <Button small disabled={column + COLUMNS >= run.steps.length} onClick={() => setColumn(column + COLUMNS)}>
                {t('host.later')}
              </Button>
            </>
          ) : null}
        </Legend>
        {failed ? <LoadError text={errorText(failed.error)} retry={() => void failed.refetch()} /> : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <section ref={ref} className={css.scroll} tabIndex={0} aria-label={t('task.tabHosts')} onScroll={onScroll}>
          <table className={css.matrix} aria-rowcount={total}>
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr">{t('host.host')}</span>
                </th>
                {steps.map((step, at) => (
                  <th key={step.step} scope="col" className={beginsPlay(steps, at) ? css.first : undefined}>
                    <span className={css.slant} title={step.name}>
                      <span>{step.name}</span>
                    </span>
                  </th>
                ))}
                {(['host.ok', 'host.changed', 'host.failed'] as const).map((key) => (
                  <th key={key} scope="col" className={css.num}>
                    {t(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr style={{ height: above }} />
              {Array.from({ length: to - from }, (_, at) => from + at).map((index) => {
                const host = hostAt(index);
                return host ? (
                  <Row key={host.number} host={host} steps={steps} onChoose={setCell} />
                ) : (
                  <Awaited key={`awaited-${index}`} columns={steps.length} />
                );
              })}
              <tr style={{ height: below }} />
            </tbody>
          </table>
          {known === 0 ? <p className={css.nothing}>{t('host.noMatch')}</p> : null}
        </section>
      </div>
      {cell ? (
        <ChosenResult project={project} task={task} host={cell.host.number} step={cell.step} onLine={onLine} />
      ) : null}
    </div>
  );
};
