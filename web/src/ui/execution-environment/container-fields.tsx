import { Select, TextInput } from '@mantine/core';
import type { ContainerEnvironment } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const PULLS = ['missing', 'always', 'never'] as const;
const NETWORKS = ['default', 'none', 'host'] as const;

interface ContainerFieldsProps {
  value: ContainerEnvironment;
  onChange: (value: ContainerEnvironment) => void;
  errors: Readonly<Record<string, ReactNode>>;
}

/** The image of a container, when it is pulled, and its network. Other fields are kept as they are. */
export const ContainerFields = ({ value, onChange, errors }: ContainerFieldsProps) => {
  const { t } = useTranslation();
  const choices = (names: readonly string[], prefix: string) =>
    names.map((name): { value: string; label: string } => {
      const key: string = `executionEnvironment.${prefix}.${name}`;
      return { value: name, label: t(key) };
    });
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
        data={choices(PULLS, 'pull')}
        allowDeselect={false}
        value={value.pull}
        onChange={(pull) => onChange({ ...value, pull: PULLS.find((one) => one === pull) ?? value.pull })}
      />
      <Select
        label={t('executionEnvironment.network.title')}
        data={choices(NETWORKS, 'network')}
        allowDeselect={false}
        value={value.network}
        onChange={(network) =>
          onChange({ ...value, network: NETWORKS.find((one) => one === network) ?? value.network })
        }
      />
    </>
  );
};
