import { Select, TextInput } from '@mantine/core';
import type { ContainerEnvironment } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ObjectSelect } from '../forms/object-select.tsx';
import { ContainerLimits } from './container-limits.tsx';

const PULLS = [
  { value: 'missing', label: 'executionEnvironment.pull.missing' },
  { value: 'always', label: 'executionEnvironment.pull.always' },
  { value: 'never', label: 'executionEnvironment.pull.never' },
] as const;
const NETWORKS = [
  { value: 'default', label: 'executionEnvironment.network.default' },
  { value: 'none', label: 'executionEnvironment.network.none' },
  { value: 'host', label: 'executionEnvironment.network.host' },
] as const;

interface ContainerFieldsProps {
  value: ContainerEnvironment;
  onChange: (value: ContainerEnvironment) => void;
  /** The keys of the project that can be logins of a registry. */
  keys: readonly { readonly id: number; readonly name: string }[] | undefined;
  errors: Readonly<Record<string, ReactNode>>;
}

/** The image of a container, when and with which login it is pulled, its network and its limits. */
export const ContainerFields = ({ value, onChange, keys, errors }: ContainerFieldsProps) => {
  const { t } = useTranslation();
  const translated = (choices: readonly { readonly value: string; readonly label: string }[]) =>
    choices.map((choice) => ({ ...choice, label: t(choice.label) }));
  return (
    <>
      <TextInput
        label={t('executionEnvironment.image')}
        description={t('executionEnvironment.imageHelp', { example: 'ghcr.io/team/ansible:2.19' })}
        spellCheck={false}
        maxLength={500}
        value={value.image}
        onChange={(event) => onChange({ ...value, image: event.currentTarget.value })}
        error={errors['execution_environment.image']}
      />
      <Select
        label={t('executionEnvironment.pull.title')}
        data={translated(PULLS)}
        allowDeselect={false}
        value={value.pull}
        onChange={(pull) => onChange({ ...value, pull: PULLS.find((one) => one.value === pull)?.value ?? value.pull })}
      />
      <ObjectSelect
        label={t('executionEnvironment.registryKey')}
        help={t('executionEnvironment.registryKeyHelp')}
        placeholder={t('keys.choose')}
        icon="key"
        items={keys}
        isOptional
        value={value.registry_key_id === null ? null : String(value.registry_key_id)}
        onChange={(id) => onChange({ ...value, registry_key_id: id === null || id === '' ? null : Number(id) })}
        error={errors['execution_environment.registry_key_id']}
      />
      <Select
        label={t('executionEnvironment.network.title')}
        description={t('executionEnvironment.networkHelp')}
        data={translated(NETWORKS)}
        allowDeselect={false}
        value={value.network}
        onChange={(network) =>
          onChange({ ...value, network: NETWORKS.find((one) => one.value === network)?.value ?? value.network })
        }
      />
      <ContainerLimits value={value} onChange={(changed) => onChange({ ...value, ...changed })} errors={errors} />
    </>
  );
};
