import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { infoQuery } from '../../../api/queries.ts';
import { EnvironmentInput } from '../../../ui/execution-environment/environment-input.tsx';
import type { TemplateForm } from './save-template.ts';

/** The execution environment of a template. */
export const EnvironmentField = ({ form }: { form: UseFormReturnType<TemplateForm> }) => {
  const { t } = useTranslation();
  const { data: info } = useQuery(infoQuery());
  return (
    <EnvironmentInput
      value={form.values.execution_environment}
      onChange={(value) => form.setFieldValue('execution_environment', value)}
      inherited={t('executionEnvironment.ofProject')}
      allowed={info?.execution_environments ?? []}
      errors={form.errors}
    />
  );
};
