import { TextInput } from '@mantine/core';
import type { ContainerEnvironment } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './environment-input.module.css';

const LIMITS = [
  { name: 'memory_mb', label: 'executionEnvironment.memory', step: 1 },
  { name: 'cpus', label: 'executionEnvironment.cpus', step: 'any' },
  { name: 'pids', label: 'executionEnvironment.pids', step: 1 },
] as const;

type Limits = Pick<ContainerEnvironment, (typeof LIMITS)[number]['name']>;

interface ContainerLimitsProps {
  value: Limits;
  onChange: (changed: Partial<Limits>) => void;
  errors: Readonly<Record<string, ReactNode>>;
}

/** What the processes of a container may use. An empty field is no limit. */
export const ContainerLimits = ({ value, onChange, errors }: ContainerLimitsProps) => {
  const { t } = useTranslation();
  return (
    <div className={css.limits}>
      {LIMITS.map(({ name, label, step }) => (
        <TextInput
          key={name}
          type="number"
          min={0}
          step={step}
          label={t(label)}
          placeholder={t('executionEnvironment.noLimit')}
          value={value[name] ?? ''}
          onChange={({ currentTarget: { valueAsNumber } }) =>
            onChange({ [name]: Number.isNaN(valueAsNumber) ? null : valueAsNumber })
          }
          error={errors[`execution_environment.${name}`]}
        />
      ))}
    </div>
  );
};
