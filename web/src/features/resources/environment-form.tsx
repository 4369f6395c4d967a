import { TextInput } from '@mantine/core';
import type { Environment } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { CodeEditor } from '../../ui/forms/code-editor.tsx';
import { jsonProblem } from '../../ui/forms/code-problem.ts';
import {
  type EnvironmentValues,
  environmentBody,
  environmentProblems,
  newEnvironmentValues,
} from './environment-values.ts';
import type { ResourceFormProps } from './resource-page.tsx';
import { SecretRows } from './secret-rows.tsx';
import { useResourceForm } from './use-resource-form.ts';

const EXAMPLES = {
  json: '{\n  "release_channel": "stable",\n  "workers": 4\n}\n',
  env: '{\n  "ANSIBLE_STDOUT_CALLBACK": "yaml"\n}\n',
};

/** Form of an environment: extra variables, environment variables, and secret variables of both kinds. */
export const EnvironmentForm = ({
  project,
  item,
  mayEdit,
  uses,
  onClose,
  onCreated,
}: ResourceFormProps<Environment>) => {
  const { t } = useTranslation();
  const params = { project_id: project };
  const { form, dialog } = useResourceForm<EnvironmentValues>({
    project,
    kind: 'environment',
    initial: newEnvironmentValues(item),
    problems: environmentProblems,
    send: (values) =>
      item === undefined
        ? call('createEnvironment', { params, body: environmentBody(values, undefined) })
        : call('updateEnvironment', {
            params: { ...params, environment_id: item.id },
            body: environmentBody(values, item),
          }),
    savedText: ({ name }) => t(item ? 'environment.saved' : 'environment.created', { name: name.trim() }),
    onClose,
    onCreated,
  });
  const editor = (field: 'json' | 'env', label: string, help: string) => {
    const problem = jsonProblem(form.values[field], 'object');
    const text =
      problem &&
      (problem.line === undefined ? t(problem.key) : t('code.line', { line: problem.line, problem: t(problem.key) }));
    return (
      <CodeEditor
        label={label}
        help={help}
        language="json"
        value={form.values[field]}
        onChange={(value) => form.setFieldValue(field, value)}
        error={text ?? form.getInputProps(field).error}
        example={EXAMPLES[field]}
        isDisabled={!mayEdit}
      />
    );
  };
  return (
    <FormDialog
      {...dialog}
      width={720}
      title={mayEdit ? t(item ? 'environment.editTitle' : 'environment.newTitle') : item?.name}
      which={mayEdit ? item?.name : t('environment.title')}
      save={t('environment.save')}
      mayEdit={mayEdit}
    >
      <TextInput
        label={t('form.name')}
        maxLength={255}
        data-autofocus={mayEdit || undefined}
        {...form.getInputProps('name')}
      />
      {editor('json', t('environment.json'), t('environment.jsonHelp'))}
      {editor('env', t('environment.env'), t('environment.envHelp'))}
      <SecretRows
        rows={form.values.secrets}
        onChange={(secrets) => form.setFieldValue('secrets', secrets)}
        error={form.getInputProps('secrets').error}
      />
      {uses}
    </FormDialog>
  );
};
