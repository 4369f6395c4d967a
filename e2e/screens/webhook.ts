import type { ApiClient } from '../../tooling/product/api-client.ts';

/** A webhook with calls: one that matched nothing, and one that was refused. */
export const seedWebhook = async (
  client: ApiClient,
  params: { readonly project_id: number },
  template_id: number,
): Promise<number> => {
  const { id, address } = await client.call('createWebhook', {
    params,
    body: {
      ...{ name: 'Freigabe im Versionsverwaltungssystem', template_id, sender_check: 'gitlab', secret: 'unter uns' },
      matchers: [
        { source: 'header', path: 'X-Gitlab-Event', method: 'equals', value: 'Release Hook' },
        { source: 'body', path: '$.action', method: 'equals', value: 'create' },
        { source: 'body', path: '$.tag', method: 'matches', value: '^v\\d+\\.\\d+' },
      ],
      extractors: [{ source: 'body', path: '$.name', pattern: '', target: 'message', variable: '' }],
    },
  });
  const send = (secret: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Gitlab-Event': 'Release Hook', 'X-Gitlab-Token': secret },
      body: JSON.stringify({ action: 'update', tag: 'v2.14.0', name: 'Herbstfreigabe' }),
    });
  await send('geraten!');
  await send('unter uns');
  return id;
};
