import type { Webhook, WebhookTestResult } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { describeOneServer, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { WEBHOOK_SECRET, webhookProject } from '../../testing/webhook-project.ts';

const setUp = async (server: TestServer, name = 'Hooks') => {
  const admin = await server.signIn();
  return { admin, ...(await webhookProject(server, admin, name)) };
};

describeEachDatabase('[S3] a webhook', (makeLocation) => {
  it('stores its secret encrypted and its address hashed, and answers neither again', async () => {
    const server = await startTestServer(await makeLocation());
    const { admin, base, create } = await setUp(server);
    const { id, path } = await create();
    const token = path.split('/').at(-1) ?? '';
    const stored = JSON.stringify(await server.storage.database.read.selectFrom('webhook').selectAll().execute());
    for (const text of [stored, (await admin.get(base)).body, (await admin.get(`${base}/${id}`)).body]) {
      expect(text).not.toContain(WEBHOOK_SECRET);
      expect(text).not.toContain(token);
    }
    expect((await admin.get(`${base}/${id}`)).json()).toMatchObject({ has_secret: true, active: true });
    const row = () => server.storage.database.read.selectFrom('webhook').selectAll().executeTakeFirstOrThrow();
    const { secret } = await row();
    expect((await admin.put(`${base}/${id}`, { active: false, name: 'Later' })).statusCode).toBe(204);
    expect(await row()).toMatchObject({ secret, active: 0, name: 'Later' });
    expect((await admin.put(`${base}/${id}`, { secret: 'another secret' })).statusCode).toBe(204);
    expect((await row()).secret).not.toBe(secret);
    expect((await admin.put(`${base}/${id}`, { sender_check: 'none' })).statusCode).toBe(204);
    expect(await row()).toMatchObject({ secret: '', has_secret: 0 });
    await create();
    expect((await admin.post(base, { ...(await admin.get(`${base}/${id}`)).json<Webhook>() })).statusCode).toBe(409);
  });
});

describeOneServer('a new webhook', (shared) => {
  it('is refused with the field that is wrong', async () => {
    const { admin, base, input } = await setUp(shared(), 'Wrong');
    const matcher = { source: 'body', path: '$.a', method: 'matches', value: 'a' };
    const extractor = { source: 'body', path: '$.a', target: 'answer', variable: 'release' };
    for (const [field, more] of [
      ['secret', { secret: '' }],
      ['secret', { secret: 'short' }],
      ['secret', { sender_check: 'none' }],
      ['signature_header', { sender_check: 'hmac' }],
      ['signature_header', { signature_header: 'X-A' }],
      ['signature_header', { sender_check: 'hmac', signature_header: 'a b' }],
      ['matchers.0.path', { matchers: [{ ...matcher, path: '$..a' }] }],
      ['matchers.0.path', { matchers: [{ ...matcher, source: 'header', path: 'a b' }] }],
      ['matchers.1.value', { matchers: [matcher, { ...matcher, value: '(' }] }],
      ['matchers.0.value', { matchers: [{ ...matcher, value: '(?=a)' }] }],
      ['matchers.0.value', { matchers: [{ ...matcher, value: '' }] }],
      ['extractors.0.pattern', { extractors: [{ ...extractor, pattern: '((a{30}){30}){30}' }] }],
      ['extractors.0.variable', { extractors: [{ ...extractor, variable: 'unknown' }] }],
      ['extractors.0.variable', { extractors: [{ ...extractor, variable: 'password' }] }],
      ['extractors.0.variable', { extractors: [{ ...extractor, target: 'limit' }] }],
      ['launch_values.environment.release', { extractors: [] }],
      ['launch_values.environment.password', { launch_values: { environment: '{"password":["x"]}' } }],
      ['launch_values.environment.ansible_user', { launch_values: { environment: '{"ansible_user":"x"}' } }],
      ['launch_values.git_branch', { launch_values: { git_branch: 'other' } }],
      ['launch_values.arguments', { launch_values: { arguments: '["-e","a=b"]' } }],
      ['template_id', { template_id: 2_000_000_000 }],
    ] as const) {
      const answer = await admin.post(base, input(more));
      expect(answer.statusCode, `${field}: ${answer.body}`).toBe(400);
      expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual([field]);
    }
  });

  it('can be tried with a call, which starts nothing', async () => {
    const { admin, base, tasks } = await setUp(shared(), 'Tried');
    const matcher = { source: 'body', path: '$.action', method: 'equals', value: 'published' };
    const test = async (more: object) => (await admin.post(`${base}/test`, { ...more })).json<WebhookTestResult>();
    const body = JSON.stringify({ action: 'published', release: { tag_name: 'v2.14.0', draft: false } }, null, 2);
    expect(
      await test({
        matchers: [
          matcher,
          { source: 'header', path: 'X-GitHub-Event', method: 'contains', value: 'lea' },
          { source: 'body', path: '$.release.tag_name', method: 'matches', value: '^v\\d+\\.\\d+' },
          { source: 'body', path: '$.release.draft', method: 'equals', value: 'false' },
          { source: 'body', path: '$.missing', method: 'not_equals', value: 'x' },
          { source: 'body', path: '$.missing', method: 'exists' },
        ],
        extractors: [
          { source: 'body', path: '$.release.tag_name', pattern: '^v(.+)$', target: 'message' },
          { source: 'body', path: '$.release', target: 'message' },
          { source: 'body', path: '$.release.tag_name', pattern: '^x', target: 'message' },
        ],
        headers: { 'x-github-event': 'release' },
        body,
      }),
    ).toEqual({
      is_json: true,
      is_match: false,
      matchers: [
        { is_match: true, value: 'published', lines: [2, 2] },
        { is_match: true, value: 'release', lines: null },
        { is_match: true, value: 'v2.14.0', lines: [4, 4] },
        { is_match: true, value: 'false', lines: [5, 5] },
        { is_match: true, value: null, lines: null },
        { is_match: false, value: null, lines: null },
      ],
      extractors: [
        { value: '2.14.0', lines: [4, 4] },
        { value: '{"tag_name":"v2.14.0","draft":false}', lines: [3, 6] },
        { value: null, lines: [4, 4] },
      ],
    });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(
      await test({ matchers: [matcher], headers: form, body: `payload=${encodeURIComponent(body)}` }),
    ).toMatchObject({
      matchers: [{ is_match: true, lines: null }],
    });
    expect(await test({ matchers: [matcher], body: 'no json' })).toMatchObject({ is_json: false, is_match: false });
    expect(await tasks()).toEqual([]);
  });
});
