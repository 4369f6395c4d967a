import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type NewAddress, WebhookPage } from '../../features/webhooks/webhook-page.tsx';
import { WebhooksPage, type WebhooksState } from '../../features/webhooks/webhooks-page.tsx';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import type { WebhooksSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';
import { LAUNCH } from './launch-form.ts';

export const WebhooksRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort, template }: WebhooksSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <WebhooksPage
      key={projectId}
      project={projectId}
      state={{ q, sort, template }}
      onState={useListUrl<WebhooksState>()}
      onOpen={(webhookId) =>
        void navigate({
          to: '/project/$projectId/webhooks/$webhookId',
          params: { projectId, webhookId },
          search: { template },
        })
      }
    />
  );
};

export const WebhookRoute = () => {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { webhookId = 0 } = useParams({ strict: false });
  const { template }: WebhooksSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  // Kept here, because the page of the new webhook replaces the one that created it.
  const [shown, setShown] = useState<NewAddress>();
  const list = { to: '/project/$projectId/webhooks', params: { projectId }, search: { template } } as const;
  return (
    <>
      <Breadcrumb>
        <Link {...list}>{t('webhooks.title')}</Link>
      </Breadcrumb>
      <WebhookPage
        project={projectId}
        webhook={webhookId}
        template={template}
        launch={LAUNCH}
        toList={<Link {...list}>{t('webhooks.back')}</Link>}
        shown={shown}
        onAddress={setShown}
        onCreated={(created) =>
          void navigate({
            to: '/project/$projectId/webhooks/$webhookId',
            params: { projectId, webhookId: created },
            search: { template },
            replace: true,
            // Everything is saved.
            ignoreBlocker: true,
          })
        }
        onClose={() => void navigate(list)}
      />
    </>
  );
};
