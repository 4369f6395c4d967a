import type { HostMoment, ListedHost } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RowCheck, selectOnSpace } from '../../ui/lists/row-check.tsx';
import table from '../../ui/lists/table.module.css';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import { OUTCOMES } from './host/outcome.ts';
import css from './hosts.module.css';
import { stateText } from './state-text.ts';
import { Vanished } from './vanished.tsx';

const Moment = ({ moment }: { moment: HostMoment | null }) => {
  if (moment === null) return <span className="faint">–</span>;
  return (
    <span className={table.cell}>
      <Ago at={moment.time} />
      {moment.task_id === null ? null : <TaskLink id={moment.task_id} />}
    </span>
  );
};

interface HostRowProps {
  project: number;
  host: ListedHost;
  /** Undefined for users who can start nothing on the hosts. */
  selection: Pick<Selection, 'has' | 'toggle'> | undefined;
}

/** A host of the list, with the worst of what its templates last did. */
export const HostRow = ({ project, host, selection }: HostRowProps) => {
  const { t } = useTranslation();
  const style = host.outcome === null ? undefined : OUTCOMES[host.outcome];
  return (
    <tr className={css.row} onKeyDown={selection ? (event) => selectOnSpace(event, host.id, selection) : undefined}>
      <th scope="row" className={css.name}>
        <span className={table.cell}>
          {selection ? <RowCheck id={host.id} name={host.host} selection={selection} /> : null}
          <span className={css.names}>
            <Link
              className={`${table.name} mono cut`}
              title={host.host}
              to="/project/$projectId/hosts/$hostId"
              params={{ projectId: project, hostId: host.id }}
              search={{}}
            >
              {host.host}
            </Link>
            <Vanished since={host.vanished_since} />
          </span>
        </span>
      </th>
      <td className={css.state}>
        {style === undefined ? (
          <span className="faint">–</span>
        ) : (
          <span className={`${css.outcome} ${style.quiet ? css.quiet : style.colour}`} data-outcome={host.outcome}>
            <StatusIcon colour={style.colour} shape={style.shape} />
            {stateText(t, host)}
          </span>
        )}
      </td>
      <td className={css.last}>
        <Moment moment={host.last_run} />
      </td>
      <td className={css.moment}>
        <Moment moment={host.last_success} />
      </td>
      <td className={css.moment}>
        <Moment moment={host.last_change} />
      </td>
      <td className={css.moment}>
        <Moment moment={host.last_failure} />
      </td>
    </tr>
  );
};
