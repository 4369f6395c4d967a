import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { infoQuery, projectsQuery } from '../../../api/queries.ts';
import { EnvironmentInput } from '../../../ui/execution-environment/environment-input.tsx';
import { environmentText } from '../../../ui/execution-environment/environment-text.ts';
import type { TemplateForm } from './save-template.ts';

interface EnvironmentFieldProps {
  project: number;
  form: UseFormReturnType<TemplateForm>;
  /** The keys of the project that can be logins of a registry. */
  keys: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** The execution environment of a template. */
export const EnvironmentField = ({ project, form, keys }: EnvironmentFieldProps) => {
  const { t } = useTranslation();
  const { data: info } = useQuery(infoQuery());
  const { data: projects } = useQuery(projectsQuery());
  const inherited =
    projects?.find(({ id }) => id === project)?.execution_environment ?? info?.default_execution_environment;
  return (
    <EnvironmentInput
      value={form.values.execution_environment}
      onChange={(value) => form.setFieldValue('execution_environment', value)}
      inherited={t('executionEnvironment.ofProject')}
      meaning={inherited && t('executionEnvironment.ofProjectNow', { environment: environmentText(t, inherited) })}
      allowed={info?.execution_environments ?? []}
      keys={keys}
      errors={form.errors}
    />
  );
};
