import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTextsQuery } from '../../api/error-texts-query.ts';
import { roleQuery, templatesQuery, webhooksQuery } from '../../api/queries.ts';
import { mayByRole, mayDo, mayWith } from '../../ui/access/permissions.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import type { LaunchForm } from '../../ui/forms/launch-form.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { Bar, PageHeader } from '../../ui/page/page.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { ShownAddress } from './shown-address.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { SET_UP } from './webhook-labels.ts';
import css from './webhooks.module.css';

/** An address that was just created. */
export interface NewAddress {
  readonly webhook: number;
  readonly address: string;
}

export interface WebhookPageProps<V extends object> {
  project: number;
  webhook: number | 'new';
  /** The template of a new webhook. */
  template: number | undefined;
  launch: LaunchForm<V>;
  /** The link that the notice about a missing webhook contains. */
  toList: ReactNode;
  shown: NewAddress | undefined;
  onAddress: (shown: NewAddress) => void;
  onCreated: (id: number) => void;
  onClose: () => void;
}

/** One webhook: its form, and the calls that it received. */
export const WebhookPage = <V extends object>(props: WebhookPageProps<V>) => {
  const { project, webhook, launch, toList, shown, onAddress, onCreated, onClose } = props;
  const { t } = useTranslation();
  const query = useQuery(webhooksQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  // The form checks answers itself, and needs the texts of errors for that.
  const texts = useQuery(errorTextsQuery);
  const [isAsking, setAsking] = useState(false);
  const renewal = useMutation({
    mutationFn: (webhook_id: number) => call('renewWebhookAddress', { params: { project_id: project, webhook_id } }),
    onSuccess: ({ id, address }) => onAddress({ webhook: id, address }),
    onError: (error) => showToast('error', errorText(error)),
    onSettled: () => setAsking(false),
  });
  const item = query.data?.find(({ id }) => id === webhook);
  const mayUse = (template: number) => mayByRole(role, template, 'edit_schedules');
  const mayEdit = item ? mayUse(item.template_id) : mayDo(role, 'edit_schedules');
  const isMissing = query.data !== undefined && role !== undefined && !item && (webhook !== 'new' || !mayEdit);
  if (isMissing)
    return (
      <>
        <PageHeader title={t('notFound.title')} />
        <NotFoundNotice what="webhook">{toList}</NotFoundNotice>
      </>
    );
  if (query.data === undefined || templates === undefined || role === undefined || !texts.isSuccess)
    return (
      <>
        <PageHeader title={t('webhooks.title')} />
        {query.error ? (
          <Bar>
            <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
          </Bar>
        ) : null}
      </>
    );
  const known = shown && shown.webhook === item?.id ? shown.address : undefined;
  return (
    <>
      <WebhookForm
        key={webhook}
        project={project}
        templates={templates.filter(({ id }) => id === item?.template_id || mayUse(id))}
        item={item}
        template={props.template}
        mayEdit={mayEdit}
        mayRun={item !== undefined && mayWith(role, item.template_id, 'run')}
        launch={launch}
        address={({ sender_check }) =>
          known !== undefined ? (
            <ShownAddress address={known} check={sender_check} />
          ) : (
            <div className={css.addressField}>
              <span className={css.label}>{t('webhooks.address')}</span>
              <p className={css.help}>{t(item ? 'webhooks.addressHidden' : 'webhooks.addressLater')}</p>
              {item && mayEdit ? (
                <Button small icon="again" onClick={() => setAsking(true)}>
                  {t('webhooks.renew')}
                </Button>
              ) : null}
              <p className={css.help}>{t(SET_UP[sender_check])}</p>
            </div>
          )
        }
        onCreated={(id, address) => {
          onAddress({ webhook: id, address });
          onCreated(id);
        }}
        onClose={onClose}
      />
      {isAsking && item ? (
        <ConfirmDialog
          title={t('webhooks.renewTitle')}
          which={item.name}
          action={t('webhooks.renew')}
          isBusy={renewal.isPending}
          onConfirm={() => renewal.mutate(item.id)}
          onClose={() => setAsking(false)}
        >
          <p>{t('webhooks.renewText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
