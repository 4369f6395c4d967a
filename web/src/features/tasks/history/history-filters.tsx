import { END_REASON_CODES, TASK_STATUSES } from 'virtual:routes';
import type { EndReasonCode, Task } from '@signalbox/contract';
import { endReasonLabel } from '@signalbox/lang';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tasksQuery, teamQuery, templatesQuery } from '../../../api/queries.ts';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';
import { compareNames, numberText } from '../../../lang/locale.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { LazySelect } from '../../../ui/forms/lazy-select.tsx';
import { statusStyle } from '../../../ui/tasks/status.ts';
import { DayFilter } from './day-filter.tsx';
import { momentsOf } from './day-span.ts';
import css from './history.module.css';
import type { HistoryState } from './history-state.ts';

interface ChoiceProps {
  label: string;
  any: string;
  items: readonly { readonly value: string; readonly label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  isWide?: boolean;
}

const ANY = 'any';

/** Select input with an entry for no filter. */
const Choice = ({ label, any, items, value, onChange, isWide = false }: ChoiceProps) => (
  <LazySelect
    className={`${css.filter} ${isWide ? css.wide : ''}`}
    label={label}
    items={[{ value: ANY, label: any }, ...items]}
    value={value ?? ANY}
    onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
  />
);

/** Users by id: the members of the team, and other users who started one of the tasks. */
const peopleOf = (
  team: readonly { user_id: number; name: string }[],
  tasks: readonly Pick<Task, 'user_id' | 'user_name'>[],
) => {
  const names = new Map(team.map(({ user_id, name }) => [user_id, name]));
  for (const { user_id, user_name } of tasks)
    if (user_id !== null && !names.has(user_id)) names.set(user_id, user_name);
  return [...names]
    .map(([id, name]) => ({ value: String(id), label: name }))
    .sort((a, b) => compareNames(a.label, b.label));
};

const idOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
const textOf = (id: number | undefined): string | undefined => (id === undefined ? undefined : String(id));

/** The reasons of the newest tasks with any status, and the chosen reason. */
const useReasons = (project: number, { reason, template, user, ...span }: HistoryState): readonly EndReasonCode[] => {
  const { data } = useInfiniteQuery(
    tasksQuery(project, { template_id: template, user_id: user, ...momentsOf(span, new Date()) }),
  );
  const found = new Set(data?.pages.flat().map(({ end_reason }) => end_reason?.code));
  return END_REASON_CODES.filter((code) => code === reason || found.has(code));
};

interface HistoryFiltersProps {
  project: number;
  tasks: readonly Task[];
  state: HistoryState;
  onState: (change: HistoryState) => void;
}

/** Filters of the history by status, reason, template, user and day, applied by the server. A phone folds them. */
export const HistoryFilters = ({ project, tasks, state, onState }: HistoryFiltersProps) => {
  const { t } = useTranslation();
  const makeText = useEndReasonTexts();
  const reasons = useReasons(project, state);
  const { data: templates = [] } = useQuery(templatesQuery(project));
  const { data: team = [] } = useQuery(teamQuery(project));
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { status, reason, template, user, days, from, to } = state;
  const active = [status, reason, template, user, days ?? from ?? to].filter((value) => value !== undefined).length;
  return (
    <>
      <button
        type="button"
        className={css.fold}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'up' : 'down'} />
        {t('history.filters')}
        {active > 0 ? <small>{numberText(active)}</small> : null}
      </button>
      <div id={id} className={css.filters} data-open={isOpen || undefined}>
        <Choice
          label={t('history.status')}
          any={t('history.anyStatus')}
          items={TASK_STATUSES.map((status) => ({ value: status, label: t(statusStyle(status).labelKey) }))}
          value={state.status}
          onChange={(value) => onState({ status: TASK_STATUSES.find((status) => status === value) })}
        />
        <Choice
          label={t('history.reason')}
          any={t('history.anyReason')}
          items={reasons.map((code) => ({ value: code, label: makeText(endReasonLabel(code)) ?? code }))}
          isWide
          value={state.reason}
          onChange={(value) => onState({ reason: END_REASON_CODES.find((code) => code === value) })}
        />
        <Choice
          label={t('history.template')}
          any={t('history.anyTemplate')}
          items={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={textOf(state.template)}
          onChange={(value) => onState({ template: idOf(value) })}
        />
        <Choice
          label={t('history.user')}
          any={t('history.anyUser')}
          items={peopleOf(team, tasks)}
          value={textOf(state.user)}
          onChange={(value) => onState({ user: idOf(value) })}
        />
        <DayFilter span={state} onChange={onState} />
      </div>
    </>
  );
};
