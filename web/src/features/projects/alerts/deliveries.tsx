import type { AlertChannel, AlertDelivery, DeliveryState } from '@signalbox/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { alertDeliveriesQuery } from '../../../api/queries.ts';
import { deliveryErrorText } from '../../../ui/alert-test/delivery-error.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { arrange, type ListState } from '../../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../../ui/lists/list-table.tsx';
import table from '../../../ui/lists/table.module.css';
import { LoadError } from '../../../ui/page/load-error.tsx';
import type { StatusColour, StatusShape } from '../../../ui/tasks/status.ts';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import css from './alerts.module.css';
import { receiverKindLabel } from './receiver-values.ts';

interface Style {
  readonly labelKey: string;
  readonly colour: StatusColour;
  readonly shape: StatusShape;
}

const STYLES: Readonly<Record<DeliveryState, Style>> = {
  waiting: { labelKey: 'alerts.state.waiting', colour: 'wait', shape: 'clock' },
  sent: { labelKey: 'alerts.state.sent', colour: 'ok', shape: 'check' },
  failed: { labelKey: 'alerts.state.failed', colour: 'error', shape: 'cross' },
  dropped: { labelKey: 'alerts.state.dropped', colour: 'stop', shape: 'square' },
};

const channelLabel = (channel: AlertChannel): string => {
  if (channel === 'email') return 'alerts.kind.email';
  return channel === 'telegram' ? 'alerts.kind.telegram' : receiverKindLabel(channel);
};

const State = ({ delivery }: { delivery: AlertDelivery }) => {
  const { t } = useTranslation();
  const { labelKey, colour, shape } = STYLES[delivery.state];
  return (
    <span className={table.cell}>
      <StatusIcon colour={colour} shape={shape} />
      {t(labelKey)}
    </span>
  );
};

/** A link to the schedule that started no task. */
const ScheduleLink = ({ delivery: { project_id, schedule_id, schedule } }: { delivery: AlertDelivery }) =>
  schedule_id === null ? (
    schedule
  ) : (
    <Link to="/project/$projectId/schedules" params={{ projectId: project_id }} search={{ edit: schedule_id }}>
      {schedule}
    </Link>
  );

const useColumns = (): ShownColumn<AlertDelivery>[] => {
  const { t } = useTranslation();
  const reason = ({ fault: error, detail }: AlertDelivery): string =>
    error === null ? '' : deliveryErrorText(t, error, detail);
  return [
    {
      id: 'task',
      title: 'column.task',
      text: ({ task_id, schedule, template }) => `${task_id === null ? schedule : `#${task_id}`} ${template}`,
      // Default: newest first.
      order: ({ id }) => -id,
      cell: (row) => (
        <span className={css.task}>
          {row.task_id === null ? <ScheduleLink delivery={row} /> : <TaskLink id={row.task_id} />}
          <span className="cut" title={row.template}>
            {row.template}
          </span>
        </span>
      ),
    },
    {
      id: 'time',
      title: 'alerts.time',
      text: ({ created }) => created,
      cell: ({ created }) => <Ago at={created} />,
      width: '12%',
    },
    {
      id: 'receiver',
      title: 'alerts.receiver',
      text: ({ receiver, channel }) => [receiver, t(channelLabel(channel))].filter(Boolean).join(', '),
      width: '20%',
    },
    {
      id: 'state',
      title: 'column.status',
      text: ({ state }) => t(STYLES[state].labelKey),
      cell: (row) => <State delivery={row} />,
      width: '16%',
    },
    {
      id: 'attempts',
      title: 'alerts.attempts',
      text: ({ attempts }) => String(attempts),
      order: ({ attempts }) => attempts,
      width: '10%',
    },
    {
      id: 'reason',
      title: 'alerts.reason',
      text: reason,
      // Undefined instead of an empty element: phones then omit the line.
      cell: (row) => (row.fault === null ? null : <span className={css.reason}>{reason(row)}</span>),
      width: '26%',
    },
  ];
};

/** The alerts of a project with their receivers and results. */
export const Deliveries = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    alertDeliveriesQuery(project),
  );
  const columns = useColumns();
  const [state, setState] = useState<ListState>({});
  const rows = data?.pages.flat();
  return (
    <section className={css.section} aria-label={t('alerts.log')}>
      <h2>{t('alerts.log')}</h2>
      {error ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      {rows?.length === 0 ? <p className={css.help}>{t('alerts.logEmpty')}</p> : null}
      {rows?.length === 0 || (error && !rows) ? null : (
        <ListTable
          label={t('alerts.log')}
          columns={columns}
          rows={rows && arrange(rows, columns, state)}
          keyOf={({ id }) => id}
          state={state}
          onState={(change) => setState({ ...state, ...change })}
        />
      )}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('alerts.more')}
        </Button>
      ) : null}
    </section>
  );
};
