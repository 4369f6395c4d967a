import { TextInput } from '@mantine/core';
import type { Repository } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { roleQuery } from '../../api/queries.ts';
import { useBranches } from '../../api/use-runner-lookup.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { FieldRow, FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { SuggestInput } from '../../ui/forms/suggest-input.tsx';
import { AccessTest } from './access-test.tsx';
import { KeySelect } from './key-select.tsx';
import {
  newRepositoryValues,
  type RepositoryValues,
  repositoryBody,
  repositoryProblems,
  URL_TYPES,
  urlType,
  withUrlType,
} from './repository-values.ts';
import type { ResourceFormProps } from './resource-page.tsx';
import css from './resources.module.css';
import { useResourceForm } from './use-resource-form.ts';

/** Chips that show the type of an address. A click rewrites the address to another type. */
const UrlTypes = ({ url, onChange }: { url: string; onChange: (url: string) => void }) => {
  const { t } = useTranslation();
  const now = url.trim() === '' ? undefined : urlType(url);
  return (
    <fieldset className={css.chips} aria-label={t('repositories.urlType')}>
      {URL_TYPES.map(({ type }) => (
        <button
          key={type}
          type="button"
          className={css.chip}
          aria-pressed={type === now}
          onClick={() => onChange(withUrlType(url, type))}
        >
          {type === 'local' ? t('repositories.local') : type}
        </button>
      ))}
    </fieldset>
  );
};

/** Form of a repository. */
export const RepositoryForm = ({ project, item, mayEdit, uses, onClose, onCreated }: ResourceFormProps<Repository>) => {
  const { t } = useTranslation();
  const params = { project_id: project };
  const mayFind = mayDo(useQuery(roleQuery(project)).data, 'edit_templates');
  const { form, dialog } = useResourceForm<RepositoryValues>({
    project,
    kind: 'repositories',
    initial: newRepositoryValues(item),
    problems: repositoryProblems,
    send: (values) =>
      item === undefined
        ? call('createRepository', { params, body: repositoryBody(values) })
        : call('updateRepository', { params: { ...params, repository_id: item.id }, body: repositoryBody(values) }),
    savedText: ({ name }) => t(item ? 'repositories.saved' : 'repositories.created', { name: name.trim() }),
    onClose,
    onCreated,
  });
  const { git_url, ssh_key_id } = form.values;
  const isLocal = urlType(git_url) === 'local';
  /** The tested address and key, and the branches that the test found. */
  const [found, setFound] = useState<{ way: string; branches: readonly string[] }>();
  const way = JSON.stringify([git_url.trim(), ssh_key_id]);
  const known = found?.way === way ? found.branches : undefined;
  const isAsSaved = item?.git_url === git_url.trim() && String(item.ssh_key_id) === ssh_key_id;
  const saved = useBranches(project, isAsSaved && known === undefined ? item?.id : undefined);
  return (
    <FormDialog
      {...dialog}
      title={mayEdit ? t(item ? 'repositories.editTitle' : 'repositories.newTitle') : item?.name}
      which={mayEdit ? item?.name : t('repositories.title')}
      save={t('repositories.save')}
      mayEdit={mayEdit}
    >
      <TextInput
        label={t('form.name')}
        maxLength={255}
        data-autofocus={mayEdit || undefined}
        {...form.getInputProps('name')}
      />
      <div className={css.url}>
        <TextInput
          label={t('repositories.url')}
          spellCheck={false}
          classNames={{ input: css.mono ?? '' }}
          {...form.getInputProps('git_url')}
        />
        <UrlTypes url={form.values.git_url} onChange={(url) => form.setFieldValue('git_url', url)} />
      </div>
      <FieldRow>
        <SuggestInput
          suggestions={known ?? saved.values}
          label={t('repositories.branch')}
          help={isLocal ? t('repositories.branchLocal') : undefined}
          {...form.getInputProps('git_branch')}
          lookup={saved.lookup}
          onFocus={saved.onFocus}
        />
        <KeySelect
          project={project}
          label={t('repositories.key')}
          help={t('repositories.keyHelp')}
          {...form.getInputProps('ssh_key_id')}
        />
      </FieldRow>
      {mayEdit ? (
        <AccessTest
          key={way}
          branch={isLocal ? '' : form.values.git_branch.trim()}
          isReady={urlType(git_url) !== undefined && ssh_key_id !== null}
          ask={() =>
            call('testRepository', { params, body: { git_url: git_url.trim(), ssh_key_id: Number(ssh_key_id) } })
          }
          onResult={({ branches }) => setFound(branches ? { way, branches } : undefined)}
        />
      ) : null}
      {item && mayFind && !form.isDirty() ? (
        <p>
          <Link
            to="/project/$projectId/repositories/$repositoryId/playbooks"
            params={{ projectId: project, repositoryId: item.id }}
            search={{}}
          >
            {t('playbooks.find')}
          </Link>
        </p>
      ) : null}
      {uses}
    </FormDialog>
  );
};
