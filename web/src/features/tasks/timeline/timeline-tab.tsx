import type { Task, TimelineHost } from '@signalbox/contract';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { timelineQuery } from '../../../api/run-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { AwaitedResults, isBeforeRun } from '../hosts/awaited-results.tsx';
import { ChosenResult } from '../hosts/chosen-result.tsx';
import type { Run } from '../results/run-model.ts';
import css from './timeline.module.css';
import { TimelineChart } from './timeline-chart.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import { rowOfHost, rowOfOthers, type TimelineRow } from './timeline-model.ts';
import { TimelineSteps } from './timeline-steps.tsx';

/** Hosts in one request, hosts that are drawn before the others are unfolded, and steps of a page. */
const PAGE = 100;
const NAMED = 20;
const STEPS = 500;
const MAX_ZOOM = 64;

export interface TimelineTabProps {
  task: Task;
  run: Run;
  onLine: (line: number) => void;
}

/** Whether the window is as narrow as a phone, where the table replaces the chart. */
const isNarrow = (): boolean => window.matchMedia('(max-width: 700px)').matches;

/** Which host worked on which step when, and who waited for whom. */
export const TimelineTab = ({ task, run, onLine }: TimelineTabProps) => {
  const { t } = useTranslation();
  const [isTable, setIsTable] = useState(isNarrow);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(0);
  const [isFolded, setIsFolded] = useState(true);
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const [chosen, setChosen] = useState<{ host: number; step: number }>();
  const version = run.long?.results ?? run.steps.length;
  const from_step = page * STEPS + 1;
  const asked = { from_step, step_limit: STEPS, limit: PAGE };
  const first = useQuery({
    ...timelineQuery(task.project_id, task.id, version, { ...asked, from: 1 }),
    placeholderData: keepPreviousData,
    refetchInterval: task.end === null ? 5_000 : false,
  });
  const timeline = first.data;
  const total = timeline?.total ?? 0;
  const isLong = total > NAMED + 1;
  const firstPage = Math.max(1, Math.floor(seen.first / PAGE));
  const lastPage = isFolded ? 0 : Math.floor(Math.min(seen.last, total - 1) / PAGE);
  const pages = Array.from({ length: Math.max(0, lastPage - firstPage + 1) }, (_, at) => firstPage + at);
  const more = useQueries({
    queries: pages.map((one) => timelineQuery(task.project_id, task.id, version, { ...asked, from: one * PAGE + 1 })),
  });
  const loaded = useMemo(() => {
    const rows = new Map<number, TimelineRow>();
    for (const answer of [timeline, ...more.map(({ data }) => data)])
      for (const [at, host] of (answer?.hosts ?? []).entries())
        rows.set((answer?.first ?? 1) - 1 + at, rowOfHost(answer?.steps ?? [], host));
    return rows;
  }, [timeline, more]);
  const rowAt = useCallback(
    (index: number): TimelineRow | undefined =>
      isLong && isFolded && index === NAMED ? rowOfOthers(timeline?.steps ?? [], total - NAMED) : loaded.get(index),
    [loaded, isLong, isFolded, timeline, total],
  );
  const onRows = useCallback(
    (from: number, to: number) =>
      setSeen((before) => (before.first === from && before.last === to ? before : { first: from, last: to })),
    [],
  );
  if (first.error && !timeline) return <LoadError text={errorText(first.error)} retry={() => void first.refetch()} />;
  if (isBeforeRun(task) || (timeline && total === 0))
    return <AwaitedResults task={task} text={t('awaited.timeline')} />;
  if (!timeline) return <div aria-busy="true" />;
  const open = (host: number, step: number) => setChosen({ host, step });
  const shownStep = chosen && run.steps.findLast(({ step }) => step === chosen.step);
  const failed = more.find(({ error }) => error);
  return (
    <div className={css.tab}>
      <div className={css.main}>
        <div className={css.tools}>
          <Button small aria-pressed={!isTable} onClick={() => setIsTable(false)}>
            {t('timeline.asChart')}
          </Button>
          <Button small aria-pressed={isTable} onClick={() => setIsTable(true)}>
            {t('timeline.asTable')}
          </Button>
          {isTable ? null : (
            <>
              <Button small disabled={zoom <= 1} onClick={() => setZoom(zoom / 2)}>
                {t('timeline.narrower')}
              </Button>
              <Button small disabled={zoom >= MAX_ZOOM} onClick={() => setZoom(zoom * 2)}>
                {t('timeline.wider')}
              </Button>
              {isLong ? (
                <Button small onClick={() => setIsFolded(!isFolded)}>
                  {isFolded ? t('timeline.unfold', { count: total, number: numberText(total) }) : t('timeline.fold')}
                </Button>
              ) : null}
            </>
          )}
          {timeline.total_steps > STEPS ? (
            <>
              <Button small disabled={page === 0} onClick={() => setPage(page - 1)}>
                {t('host.earlier')}
              </Button>
              <Button small disabled={from_step + STEPS > timeline.total_steps} onClick={() => setPage(page + 1)}>
                {t('host.later')}
              </Button>
            </>
          ) : null}
        </div>
        {failed ? <LoadError text={errorText(failed.error)} retry={() => void failed.refetch()} /> : null}
        {isTable ? null : <TimelineLegend />}
        {isTable ? (
          <TimelineSteps timeline={timeline} hasLog={!task.log_removed} onLine={onLine} onOpen={open} />
        ) : (
          <TimelineChart
            timeline={timeline}
            rows={isLong && isFolded ? NAMED + 1 : total}
            rowAt={rowAt}
            zoom={zoom}
            onRows={onRows}
            onOpen={(host: TimelineHost, step) => open(host.number, step)}
            onUnfold={() => setIsFolded(false)}
          />
        )}
      </div>
      {chosen && shownStep ? <ChosenResult task={task} host={chosen.host} step={shownStep} onLine={onLine} /> : null}
    </div>
  );
};
