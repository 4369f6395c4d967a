import type { Template } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { roleQuery } from '../../../api/queries.ts';
import { useSelected } from '../../../api/use-selected.ts';
import { mayDo, mayWithAny } from '../../../ui/access/permissions.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { lazyPart } from '../../../ui/browser/lazy-part.ts';
import { SelectionBar } from '../../../ui/lists/selection-bar.tsx';
import type { Selection } from '../../../ui/lists/use-selection.ts';

const ConfirmDialog = lazyPart(() => import('../../../ui/dialogs/confirm-dialog.tsx'), 'ConfirmDialog');
const RefusedDialog = lazyPart(() => import('../../../ui/dialogs/refused-dialog.tsx'), 'RefusedDialog');
const ChangeSelectedDialog = lazyPart(() => import('./change-selected-dialog.tsx'), 'ChangeSelectedDialog');

interface SelectedTemplatesProps {
  project: number;
  templates: readonly Template[];
  selection: Selection;
}

/** The bar with the actions for the selected templates. */
export const SelectedTemplates = ({ project, templates, selection }: SelectedTemplatesProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: role } = useQuery(roleQuery(project));
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const close = () => setDialog(undefined);
  const action = useSelected(() => {
    close();
    selection.clear();
    void client.invalidateQueries({ queryKey: queryKey.templates(project) });
  });
  const ids = [...selection.ids];
  const count = ids.length;
  const params = { project_id: project };
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  const mayEdit = mayDo(role, 'edit_templates');
  const mayChange = mayWithAny(role, 'edit');
  return (
    <>
      <SelectionBar selection={selection}>
        {mayWithAny(role, 'run') ? (
          <Button
            icon="play"
            variant="primary"
            small
            busy={action.isBusy}
            onClick={() =>
              action.act({
                run: () => call('runTemplates', { params, body: { ids } }),
                text: (done) => t('selectedTemplates.started', { count: done }),
              })
            }
          >
            {t('type.run')}
          </Button>
        ) : null}
        {mayChange ? (
          <Button icon="edit" small onClick={() => setDialog('change')}>
            {t('selectedTemplates.change')}
          </Button>
        ) : null}
        {mayEdit ? (
          <>
            <Button
              icon="copy"
              small
              busy={action.isBusy}
              onClick={() =>
                action.act({
                  run: () =>
                    call('copyTemplates', { params, body: { ids, suffix: t('templateForm.copyOf', { name: '' }) } }),
                  text: (done) => t('selectedTemplates.copied', { count: done }),
                })
              }
            >
              {t('selectedTemplates.copy')}
            </Button>
            <Button icon="trash" variant="stop" small onClick={() => setDialog('delete')}>
              {t('action.delete')}
            </Button>
          </>
        ) : null}
      </SelectionBar>
      {dialog === 'change' && count > 0 ? (
        <Suspense>
          <ChangeSelectedDialog
            project={project}
            count={count}
            isBusy={action.isBusy}
            onChange={(change) =>
              action.act({
                run: () => call('changeTemplates', { params, body: { ids, ...change } }),
                text: (done) => t('selectedTemplates.changed', { count: done }),
              })
            }
            onClose={close}
          />
        </Suspense>
      ) : null}
      {dialog === 'delete' && count > 0 ? (
        <Suspense>
          <ConfirmDialog
            title={t('selectedTemplates.deleteTitle')}
            which={t('selection.count', { count })}
            action={t('action.delete')}
            isBusy={action.isBusy}
            onConfirm={() =>
              action.act({
                run: () => call('deleteTemplates', { params, body: { ids } }),
                text: (done) => t('selectedTemplates.deleted', { count: done }),
              })
            }
            onClose={close}
          >
            <p>{t('selectedTemplates.deleteText')}</p>
          </ConfirmDialog>
        </Suspense>
      ) : null}
      {action.result ? (
        <Suspense>
          <RefusedDialog result={action.result} nameOf={(id) => names.get(id)} onClose={action.close} />
        </Suspense>
      ) : null}
    </>
  );
};
