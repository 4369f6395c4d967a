import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { infoQuery } from '../../../api/queries.ts';
import { EnvironmentInput } from '../../../ui/execution-environment/environment-input.tsx';
import type { TemplateForm } from './save-template.ts';

interface EnvironmentFieldProps {
  form: UseFormReturnType<TemplateForm>;
  /** The keys of the project that can be logins of a registry. */
  keys: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** The execution environment of a template. */
export const EnvironmentField = ({ form, keys }: EnvironmentFieldProps) => {
  const { t } = useTranslation();
  const { data: info } = useQuery(infoQuery());
  return (
    <EnvironmentInput
      value={form.values.execution_environment}
      onChange={(value) => form.setFieldValue('execution_environment', value)}
      inherited={t('executionEnvironment.ofProject')}
      allowed={info?.execution_environments ?? []}
      keys={keys}
      errors={form.errors}
    />
  );
};
