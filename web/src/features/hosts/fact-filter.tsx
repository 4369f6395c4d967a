import { FACT_KINDS, OPERATORS_OF_KIND } from 'virtual:routes';
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FactName, FactOperator } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hostChoicesQuery } from '../../api/host-list.ts';
import { LazySelect } from '../../ui/forms/lazy-select.tsx';
import { FACT_LABELS } from './fact-label.ts';
import css from './hosts.module.css';
import { type HostsState, hasFactValue, TYPING_MS } from './hosts-state.ts';

const NONE = 'none';
const NAMES = Object.keys(FACT_LABELS) as FactName[];
const OPERATORS: Readonly<Record<FactOperator, string>> = {
  is: 'hosts.is',
  is_not: 'hosts.isNot',
  contains: 'hosts.contains',
  at_least: 'hosts.atLeast',
  at_most: 'hosts.atMost',
};

const operatorsOf = (fact: FactName): readonly FactOperator[] => OPERATORS_OF_KIND[FACT_KINDS[fact]];

interface FactFilterProps {
  project: number;
  state: HostsState;
  onState: (change: HostsState) => void;
}

const FactValue = ({ project, state, fact, onState }: FactFilterProps & { fact: FactName }) => {
  const { t } = useTranslation();
  const [part] = useDebouncedValue(state.value ?? '', TYPING_MS);
  const { data } = useQuery(hostChoicesQuery(project, fact, part));
  const isNumber = FACT_KINDS[fact] !== 'text';
  return (
    <Autocomplete
      className={css.value ?? ''}
      aria-label={t('hosts.factValue')}
      placeholder={FACT_KINDS[fact] === 'megabytes' ? t('hosts.inMegabytes') : t('hosts.factValue')}
      inputMode={isNumber ? 'decimal' : 'text'}
      data={data?.values ?? []}
      filter={({ options }) => options}
      limit={50}
      spellCheck={false}
      autoComplete="off"
      value={state.value ?? ''}
      error={part !== '' && !hasFactValue({ fact, value: part }) ? t('hosts.notNumber') : null}
      onChange={(value) => {
        const text = isNumber ? value.replaceAll(/[^\d.]/g, '') : value;
        onState({ value: text === '' ? undefined : text });
      }}
    />
  );
};

/** Filters by one fact: its name, how it is compared, and a value that hosts of the project have. */
export const FactFilter = ({ project, state, onState }: FactFilterProps) => {
  const { t } = useTranslation();
  const { fact, operator = 'is' } = state;
  return (
    <>
      <LazySelect
        className={css.filter}
        label={t('hostPage.fact')}
        items={[
          { value: NONE, label: t('hosts.anyFact') },
          ...NAMES.map((value) => ({ value, label: t(FACT_LABELS[value]) })),
        ]}
        value={fact ?? NONE}
        onChange={(chosen) =>
          onState({ fact: NAMES.find((name) => name === chosen), operator: undefined, value: undefined })
        }
      />
      {fact === undefined ? null : (
        <>
          <LazySelect
            className={css.operator}
            label={t('hosts.comparison')}
            items={operatorsOf(fact).map((value) => ({ value, label: t(OPERATORS[value]) }))}
            value={operator}
            onChange={(chosen) =>
              onState({ operator: chosen === 'is' ? undefined : operatorsOf(fact).find((one) => one === chosen) })
            }
          />
          <FactValue key={fact} project={project} state={state} fact={fact} onState={onState} />
        </>
      )}
    </>
  );
};
