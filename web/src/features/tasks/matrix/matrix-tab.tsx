import type { Task } from '@signalbox/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { storage } from '../../../ui/browser/storage.ts';
import { FilterInput } from '../../../ui/lists/filter-input.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { MATRIX_SORTS, type MatrixSort, type MatrixUrl } from '../../../ui/tasks/matrix-url.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { AwaitedResults, isBeforeRun } from '../hosts/awaited-results.tsx';
import { RunOnHosts } from '../hosts/run-on-hosts.tsx';
import type { LogSource } from '../log/log-source.ts';
import { badCount, badHostCount, hostCount, isLoaded, type Run } from '../results/run-model.ts';
import { chosenCell, emptyKey, readCell } from './chosen-cell.ts';
import { GroupList } from './group-list.tsx';
import { mostHosts } from './host-loader.ts';
import css from './matrix.module.css';
import { badColumns, positionIn, worstStep } from './matrix-cell.ts';
import type { Column } from './matrix-columns.ts';
import { unknownParts } from './matrix-filter.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import { MatrixLegend } from './matrix-legend.tsx';
import { type Opened, type Row, rowsOf, toggled, unfolded } from './matrix-rows.ts';
import { MatrixTools } from './matrix-tools.tsx';
import { ResultPanel } from './result-panel.tsx';
import { UnknownGroup } from './unknown-group.tsx';
import { useHostSearch } from './use-host-search.ts';
import { useMatrix } from './use-matrix.ts';
import { useMatrixHosts } from './use-matrix-hosts.ts';
import { useNarrow } from './use-narrow.ts';

const ORDERS: Readonly<Record<MatrixSort, string>> = {
  trouble: 'matrix.order.trouble',
  name: 'matrix.order.name',
  changed: 'matrix.order.changed',
  time: 'matrix.order.time',
};

export interface MatrixTabProps {
  task: Task;
  run: Run;
  log: LogSource;
  url: MatrixUrl;
  onUrl: (change: MatrixUrl) => void;
  onLine: (line: number) => void;
  onSummary: () => void;
  /** Runs the task again on some hosts; undefined until the task has ended. */
  onRunOn: ((limit: string) => void) | undefined;
}

/** The matrix of hosts and steps. Hosts with the same results are one row, and those with failures come first. */
export const MatrixTab = ({ task, run, log, url, onUrl, onLine, onSummary, onRunOn }: MatrixTabProps) => {
  const { t } = useTranslation();
  const [state, setState] = useState(url);
  const [foldsAlike, setFoldsAlike] = useState(() => storage.foldsHosts());
  const [foldsRoles, setFoldsRoles] = useState(() => storage.foldsRoles());
  const [opened, setOpened] = useState<Opened>(new Map());
  const [tools, setTools] = useState<Element | null>(null);
  useEffect(() => setTools(document.getElementById('task-tools')), []);
  const isNarrow = useNarrow();
  const change = useCallback(
    (next: MatrixUrl): void => {
      setState((before) => ({ ...before, ...next }));
      onUrl(next);
    },
    [onUrl],
  );
  const { result, hosts: search = '', order: sort = 'trouble' } = state;
  const { fits, groups: known, groupNames, isLoading: isSearching } = useHostSearch(task, search);
  const { hosts, error, retry } = useMatrixHosts(task.project_id, task.id, run);
  const matrix = useMatrix(run, task.status, hosts, {
    foldsAlike: foldsAlike || isNarrow,
    foldsRoles,
    result,
    fits,
    sort,
  });
  const columns = matrix?.columns;
  const rows = useMemo(() => (matrix ? rowsOf(matrix.groups, opened, sort === 'trouble') : []), [matrix, opened, sort]);
  // With filters, only the failures of the hosts that are shown count.
  const isFiltered = result !== undefined || fits !== undefined;
  const shownBad = useMemo(() => (isFiltered && matrix ? badColumns(matrix) : undefined), [isFiltered, matrix]);
  const heads = useMemo(
    () =>
      (columns ?? [])
        .map(({ steps }, index) => {
          const own = steps.flatMap(({ positions }) => positions.flatMap((at) => run.steps[at] ?? []));
          if (shownBad ? shownBad.has(index) : own.some((step) => badCount(run, step) > 0)) return 'f';
          return task.end === null && own.some(({ end }) => end === undefined) ? 'a' : ' ';
        })
        .join(''),
    [columns, run, task.end, shownBad],
  );
  const onOpen = useCallback(
    (row: Row, column: Column): void => {
      const host = row.kind === 'host' ? row.host : row.group.hosts[0];
      const step = host && worstStep(host, column);
      const own = host && step && run.steps[positionIn(host, step)];
      if (!host || !own) return;
      // A host without any result has no number, so it has no address.
      if (host.number === 0) showToast('ok', t(emptyKey(own, task)));
      else change({ cell: `${host.number}-${own.step}` });
    },
    [run.steps, change, task, t],
  );
  const onToggle = useCallback((key: string) => setOpened((before) => toggled(before, key)), []);
  const onMore = useCallback((key: string) => setOpened((before) => unfolded(before, key)), []);
  const cell = readCell(state.cell, run, matrix);
  const close = useCallback(() => change({ cell: undefined }), [change]);
  if (error && !hosts) return <LoadError text={errorText(error)} retry={retry} />;
  const awaited = <AwaitedResults task={task} text={t('awaited.matrix')} />;
  if (isBeforeRun(task) || (isLoaded(run) && hostCount(run) === 0)) return awaited;
  if (!isLoaded(run) || !matrix || !columns) return <div aria-busy="true" />;
  if (matrix.hosts.length === 0) return awaited;
  const total = hostCount(run);
  const most = run.long ? mostHosts(run.long.steps) : total;
  const done = matrix.hosts.filter(({ block }) => block === 'done').length;
  const names = () => matrix.groups.flatMap((group) => group.hosts.map(({ host }) => host));
  const filterInput = (
    <FilterInput
      label={t('matrix.find')}
      value={search}
      onChange={(text) => change({ hosts: text === '' ? undefined : text })}
    />
  );
  const unknown = known ? unknownParts(search, known, matrix.hosts) : [];
  // On a phone an opened result covers the list.
  const isCovered = isNarrow && cell !== undefined;
  return (
    <div className={css.tab}>
      {tools && !isNarrow ? createPortal(filterInput, tools) : null}
      {isCovered ? null : (
        <MatrixTools
          total={total}
          counts={matrix.counts}
          chosen={result}
          onChoose={(to) => change({ result: to })}
          foldsAlike={isNarrow ? undefined : foldsAlike}
          onFoldAlike={(folds) => {
            setFoldsAlike(folds);
            storage.setFoldsHosts(folds);
          }}
          foldsRoles={!isNarrow && run.steps.some(({ name }) => name.includes(' : ')) ? foldsRoles : undefined}
          onFoldRoles={(folds) => {
            setFoldsRoles(folds);
            storage.setFoldsRoles(folds);
          }}
        >
          {tools && !isNarrow ? null : filterInput}
          <span className={css.done}>
            {t('matrix.done', {
              done: numberText(done),
              total: numberText(total),
              failed: numberText(badHostCount(run)),
            })}
          </span>
          {isFiltered && onRunOn ? (
            <RunOnHosts
              small
              label={t('host.runOn', { count: matrix.matching, number: numberText(matrix.matching) })}
              disabled={matrix.matching === 0}
              limit={async () => limitOf(names())}
              onRun={onRunOn}
            />
          ) : null}
        </MatrixTools>
      )}
      <div className={css.split}>
        {isCovered ? null : (
          <div className={css.left}>
            {error ? <LoadError text={errorText(error)} retry={retry} /> : null}
            {isNarrow ? null : <MatrixLegend />}
            {total > most ? (
              <p className={css.first}>
                {t('matrix.firstHosts', { count: most, number: numberText(most), total: numberText(total) })}
              </p>
            ) : null}
            {unknown.length > 0 ? <UnknownGroup parts={unknown} groups={groupNames} /> : null}
            {rows.length === 0 && unknown.length === 0 ? (
              <p className={css.nothing} role="status">
                {isSearching ? t('matrix.groupsLoading') : t('host.noMatch')}
              </p>
            ) : null}
            {rows.length === 0 ? null : isNarrow ? (
              <GroupList
                run={run}
                matrix={matrix}
                onOpen={(number, step) => change({ cell: `${number}-${step}` })}
                onRunOn={onRunOn}
              />
            ) : (
              <MatrixGrid
                project={task.project_id}
                columns={columns}
                rows={rows}
                heads={heads}
                chosen={cell && chosenCell(cell, rows, columns)}
                head={
                  <label className={css.sort}>
                    <span className="sr">{t('matrix.sort')}</span>
                    <select
                      value={sort}
                      onChange={(event) =>
                        change({ order: MATRIX_SORTS.find((one) => one === event.currentTarget.value) })
                      }
                    >
                      {MATRIX_SORTS.map((one) => (
                        <option key={one} value={one}>
                          {t(ORDERS[one])}
                        </option>
                      ))}
                    </select>
                  </label>
                }
                numbersHead={
                  <>
                    <span>{t('host.changed')}</span>
                    <span>{t('matrix.time')}</span>
                  </>
                }
                onOpen={onOpen}
                onToggle={onToggle}
                onMore={onMore}
                onClose={close}
              />
            )}
          </div>
        )}
        {cell ? (
          <ResultPanel
            key={`${cell.host.number} ${cell.step.step}`}
            task={task}
            run={run}
            log={log}
            cell={cell}
            onCell={(host) => change({ cell: `${host.number}-${cell.step.step}` })}
            onLine={onLine}
            onSummary={onSummary}
            onRunOn={onRunOn}
            onClose={close}
          />
        ) : null}
      </div>
    </div>
  );
};
