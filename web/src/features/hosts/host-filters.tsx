import { HOST_STATES } from 'virtual:routes';
import type { HostState } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hostChoicesQuery } from '../../api/host-list.ts';
import { templatesQuery } from '../../api/queries.ts';
import { compareNames } from '../../lang/locale.ts';
import { LazySelect } from '../../ui/forms/lazy-select.tsx';
import { FactFilter } from './fact-filter.tsx';
import { OUTCOMES } from './host/outcome.ts';
import css from './hosts.module.css';
import type { HostsState } from './hosts-state.ts';

const ANY = 'any';
/** Ages to choose from, in days. */
const AGES = [1, 7, 30, 40, 90, 180, 365];

interface ChoiceProps {
  label: string;
  any: string;
  items: readonly { readonly value: string; readonly label: string }[];
  value: string | number | undefined;
  onChange: (value: string | undefined) => void;
}

const Choice = ({ label, any, items, value, onChange }: ChoiceProps) => (
  <LazySelect
    className={css.filter}
    label={label}
    items={[{ value: ANY, label: any }, ...items]}
    value={value === undefined ? ANY : String(value)}
    onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
  />
);

const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
/** The values to choose from, with the chosen one. */
const withChosen = <T,>(values: readonly T[], chosen: T | undefined): T[] =>
  chosen === undefined || values.includes(chosen) ? [...values] : [chosen, ...values];

interface HostFiltersProps {
  project: number;
  state: HostsState;
  onState: (change: HostsState) => void;
}

/** Filters of the list of hosts, applied by the server. */
export const HostFilters = ({ project, state, onState }: HostFiltersProps) => {
  const { t } = useTranslation();
  const { data: templates = [] } = useQuery(templatesQuery(project));
  const { data: choices } = useQuery(hostChoicesQuery(project));
  const resultLabel = (result: HostState) =>
    result === 'trouble'
      ? t('hosts.trouble')
      : result === 'changed'
        ? t('hosts.changedState')
        : t(OUTCOMES[result].labelKey);
  return (
    <div className={css.filters}>
      <Choice
        label={t('hostPage.lastResult')}
        any={t('hosts.anyResult')}
        items={HOST_STATES.map((value) => ({ value, label: resultLabel(value) }))}
        value={state.result}
        onChange={(value) => onState({ result: HOST_STATES.find((one) => one === value) })}
      />
      <Choice
        label={t('template.title')}
        any={t('hosts.anyTemplate')}
        items={templates
          .map(({ id, name }) => ({ value: String(id), label: name }))
          .toSorted((a, b) => compareNames(a.label, b.label))}
        value={state.template}
        onChange={(value) => onState({ template: numberOf(value) })}
      />
      <Choice
        label={t('hostPage.groups')}
        any={t('hosts.anyGroup')}
        items={withChosen(choices?.groups ?? [], state.group).map((value) => ({ value, label: value }))}
        value={state.group}
        onChange={(value) => onState({ group: value })}
      />
      <Choice
        label={t('hosts.age')}
        any={t('hosts.anyAge')}
        items={withChosen(AGES, state.days).map((days) => ({
          value: String(days),
          label: t('hosts.untouched', { count: days }),
        }))}
        value={state.days}
        onChange={(value) => onState({ days: numberOf(value) })}
      />
      <Choice
        label={t('hosts.presence')}
        any={t('hosts.anyPresence')}
        items={[
          { value: 'false', label: t('hosts.notVanished') },
          { value: 'true', label: t('hosts.vanished') },
        ]}
        value={state.vanished}
        onChange={(value) => onState({ vanished: value === 'true' || value === 'false' ? value : undefined })}
      />
      <FactFilter project={project} state={state} onState={onState} />
    </div>
  );
};
