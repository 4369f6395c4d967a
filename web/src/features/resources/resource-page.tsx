import type { PermissionName, References } from '@signalbox/contract';
import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { roleQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { DeletedMeanwhile } from '../../ui/dialogs/deleted-meanwhile.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { UsedByDialog } from '../../ui/dialogs/used-by-dialog.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import table from '../../ui/lists/list-table.module.css';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { UsedBy } from './used-by.tsx';

export interface Resource {
  readonly id: number;
  readonly name: string;
}

/** State of the list in the URL: filter, order and open form. */
export interface ResourceState extends ListState {
  edit?: number | 'new' | undefined;
}

export interface ResourceFormProps<T> {
  project: number;
  /** The object to change; undefined for a new one. */
  item: T | undefined;
  mayEdit: boolean;
  /** What uses the object, shown below the fields. */
  uses?: ReactNode;
  onClose: () => void;
  /** Called with the id of a new object. */
  onCreated?: (id: number) => void;
}

/** The differences between the kinds of resources. Texts are catalogue keys. */
export interface ResourceTraits<T extends Resource> {
  readonly texts: Readonly<
    Record<
      'title' | 'noun' | 'add' | 'filter' | 'emptyTitle' | 'emptyText' | 'deleteTitle' | 'deleteText' | 'deleted',
      string
    >
  >;
  /** The right to change the objects. */
  readonly right: PermissionName;
  // biome-ignore lint/suspicious/noExplicitAny: each query has a key of its own shape
  readonly query: (project: number) => UseQueryOptions<T[], Error, T[], any>;
  readonly useColumns: (project: number) => readonly ShownColumn<T>[];
  readonly references: (project: number, id: number) => Promise<References>;
  readonly remove: (project: number, id: number) => Promise<unknown>;
  readonly Form: ComponentType<ResourceFormProps<T>>;
}

export interface ResourcePageProps<T extends Resource> {
  kind: ResourceTraits<T>;
  project: number;
  state: ResourceState;
  /** Changes the state in the URL. Opening a form adds a history entry, so that the Back button closes the form. */
  onState: (change: ResourceState) => void;
}

/** The list of one kind of resource of a project, with its form. */
export const ResourcePage = <T extends Resource>({ kind, project, state, onState }: ResourcePageProps<T>) => {
  const { t } = useTranslation();
  const { texts, Form } = kind;
  const client = useQueryClient();
  const options = kind.query(project);
  const query = useQuery(options);
  const role = useQuery(roleQuery(project));
  const mayEdit = mayDo(role.data, kind.right);
  const { deletion, ask, confirm, close } = useDeletion<T>({
    references: ({ id }) => kind.references(project, id),
    remove: ({ id }) => kind.remove(project, id),
    onRemoved: async ({ name }) => {
      showToast('ok', t(texts.deleted, { name }));
      await client.invalidateQueries({ queryKey: options.queryKey as QueryKey });
    },
    onRefused: (text) => showToast('error', text),
  });
  const edit = (id: number | 'new') => onState({ edit: id });
  const [first, ...others] = kind.useColumns(project);
  if (!first) throw new Error('A list of resources needs a column.');
  const columns: ShownColumn<T>[] = [
    {
      ...first,
      cell: (row) => (
        <button type="button" className={table.name} onClick={() => edit(row.id)}>
          {first.text(row)}
        </button>
      ),
    },
    ...others,
  ];
  const rows = query.data && arrange(query.data, columns, state);
  const opened = state.edit === 'new' ? undefined : query.data?.find(({ id }) => id === state.edit);
  // If another user deletes the object, its form stays open, so that the text in it is not lost.
  const [lastOpened, setKept] = useState<T>();
  const item = opened ?? (typeof state.edit === 'number' && lastOpened?.id === state.edit ? lastOpened : undefined);
  if (item !== lastOpened) setKept(item);
  // If a later request fails, an open form continues with the data that was loaded before.
  const isLoaded = query.data !== undefined && role.data !== undefined;
  const isOpen = isLoaded && (item !== undefined || (state.edit === 'new' && mayEdit));
  const isMissing = query.data !== undefined && typeof state.edit === 'number' && item === undefined;
  return (
    <>
      <ListPage
        title={t(texts.title)}
        add={mayEdit ? t(texts.add) : undefined}
        onAdd={() => edit('new')}
        filter={t(texts.filter)}
        count={query.data?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t(texts.emptyTitle)}
        emptyText={t(texts.emptyText)}
      >
        <ListTable
          label={t(texts.title)}
          columns={columns}
          rows={rows}
          keyOf={(row) => row.id}
          state={state}
          onState={onState}
          actions={
            mayEdit
              ? (row) => <RowActions name={row.name} onEdit={() => edit(row.id)} onDelete={() => ask(row)} />
              : undefined
          }
        />
      </ListPage>
      {isOpen ? (
        <DeletedMeanwhile value={item !== undefined && opened === undefined}>
          <Form
            key={state.edit}
            project={project}
            item={item}
            mayEdit={mayEdit}
            uses={
              item && (
                <UsedBy
                  project={project}
                  of={[...(options.queryKey as QueryKey), item.id, 'references']}
                  references={() => kind.references(project, item.id)}
                />
              )
            }
            onClose={() => onState({ edit: undefined })}
          />
        </DeletedMeanwhile>
      ) : null}
      {isMissing ? (
        <Dialog opened onClose={() => onState({ edit: undefined })} title={t('notFound.title')}>
          <NotFoundNotice what="page">
            <Button onClick={() => onState({ edit: undefined })}>{t('action.close')}</Button>
          </NotFoundNotice>
        </Dialog>
      ) : null}
      {deletion?.step === 'used' ? (
        <UsedByDialog
          project={project}
          noun={t(texts.noun)}
          name={deletion.item.name}
          references={deletion.references}
          onClose={close}
        />
      ) : null}
      {deletion?.step === 'confirm' ? (
        <ConfirmDialog
          title={t(texts.deleteTitle)}
          which={deletion.item.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t(texts.deleteText, { name: deletion.item.name })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
