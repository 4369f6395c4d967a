import { Select, Textarea, TextInput } from '@mantine/core';
import type { ExecutionEnvironment } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContainerFields } from './container-fields.tsx';
import css from './environment-input.module.css';
import { kindText } from './environment-text.ts';

type Value = ExecutionEnvironment | null;

interface EnvironmentInputProps {
  value: Value;
  onChange: (value: Value) => void;
  /** The name of the choice without an execution environment of its own. */
  inherited: string;
  /** What that choice means at the moment. */
  meaning?: string | undefined;
  /** The kinds that administrators allow. */
  allowed: readonly string[];
  /** The keys of the project that can be logins of a registry. */
  keys: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** Errors of the form, by field. */
  errors: Readonly<Record<string, ReactNode>>;
}

const FIELD = 'execution_environment';

/** An execution environment of each kind, with empty fields. */
const EMPTY_OF_KIND: Readonly<Record<ExecutionEnvironment['kind'], ExecutionEnvironment>> = {
  system: { kind: 'system' },
  virtual: { kind: 'virtual', requirements: '', requirements_file: '' },
  container: {
    kind: 'container',
    image: '',
    pull: 'missing',
    registry_key_id: null,
    network: 'default',
    memory_mb: null,
    cpus: null,
    pids: null,
  },
};

/** Undefined for a kind that only newer servers know. */
const emptyOf = (kind: string): ExecutionEnvironment | undefined =>
  Object.values(EMPTY_OF_KIND).find((one) => one.kind === kind);

type FieldsProps<Kind extends ExecutionEnvironment['kind']> = Pick<EnvironmentInputProps, 'onChange' | 'errors'> & {
  value: Extract<ExecutionEnvironment, { kind: Kind }>;
};

const VirtualFields = ({ value, onChange, errors }: FieldsProps<'virtual'>) => {
  const { t } = useTranslation();
  return (
    <>
      <Textarea
        label={t('executionEnvironment.requirements')}
        description={t('executionEnvironment.requirementsHelp', { example: 'ansible-core==2.19.1' })}
        classNames={{ input: css.lines ?? '' }}
        rows={4}
        resize="vertical"
        maxLength={10_000}
        spellCheck={false}
        value={value.requirements}
        onChange={(event) => onChange({ ...value, requirements: event.currentTarget.value })}
        error={errors[`${FIELD}.requirements`]}
      />
      <TextInput
        label={t('executionEnvironment.file')}
        description={t('executionEnvironment.fileHelp')}
        spellCheck={false}
        value={value.requirements_file}
        onChange={(event) => onChange({ ...value, requirements_file: event.currentTarget.value })}
        error={errors[`${FIELD}.requirements_file`]}
      />
    </>
  );
};

/** Where the programs of runs come from: the kind, and its fields. */
export const EnvironmentInput = (props: EnvironmentInputProps) => {
  const { value, onChange, inherited, meaning, allowed, keys, errors } = props;
  const { t } = useTranslation();
  const offered = allowed.filter((kind) => emptyOf(kind) !== undefined);
  const kinds = value && !offered.includes(value.kind) ? [...offered, value.kind] : offered;
  return (
    <div>
      <Select
        label={t('executionEnvironment.title')}
        description={[t('executionEnvironment.help'), ...(value === null && meaning ? [meaning] : [])].join(' ')}
        data={[{ value: '', label: inherited }, ...kinds.map((kind) => ({ value: kind, label: kindText(t, kind) }))]}
        allowDeselect={false}
        value={value?.kind ?? ''}
        onChange={(kind) => onChange(kind === value?.kind ? value : (emptyOf(kind ?? '') ?? null))}
        error={errors[FIELD] ?? errors[`${FIELD}.kind`]}
      />
      {value?.kind === 'virtual' ? <VirtualFields value={value} onChange={onChange} errors={errors} /> : null}
      {value?.kind === 'container' ? (
        <ContainerFields value={value} onChange={onChange} keys={keys} errors={errors} />
      ) : null}
    </div>
  );
};
