import { createHmac } from 'node:crypto';
import type { WebhookAnswer, WebhookCall } from '@signalbox/contract';
import { sampleProject } from './sample-project.ts';
import type { Client, TestServer } from './test-server.ts';

export const WEBHOOK_SECRET = 'webhook-secret-7f3a';

/** A survey with a text and a number. */
const VARIABLE = { description: '', required: false, values: [], default_value: '', min: null, max: null };
const SURVEY = [
  { ...VARIABLE, name: 'release', title: 'Release', type: '', required: true },
  { ...VARIABLE, name: 'count', title: 'Count', type: 'int' },
  { ...VARIABLE, name: 'password', title: 'Password', type: 'secret' },
];

type Json = Readonly<Record<string, unknown>>;

/** A project with a template that has a survey, and calls of its webhooks as GitHub would send them. */
export const webhookProject = async (server: TestServer, admin: Client, name: string) => {
  const sample = await sampleProject(admin, name);
  const template = await sample.template({
    name: `Deploy ${name}`,
    survey_vars: SURVEY,
    prompts: { limit: 'any', git_branch: ['main', 'release'] },
    allow_parallel_tasks: true,
  });
  const base = `${sample.base}/webhooks`;
  const input = (more: Json = {}): Json => ({
    name: 'Release published',
    template_id: template,
    sender_check: 'github',
    secret: WEBHOOK_SECRET,
    matchers: [{ source: 'body', path: '$.action', method: 'equals', value: 'published' }],
    extractors: [{ source: 'body', path: '$.tag', pattern: '^v(.+)$', target: 'answer', variable: 'release' }],
    ...more,
  });
  const create = async (more: Json = {}) => {
    const answer = await admin.post(base, input(more));
    if (answer.statusCode !== 201) throw new Error(answer.body);
    const { id, address } = answer.json<{ id: number; address: string }>();
    return { id, path: new URL(address).pathname };
  };
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(payload).digest('hex')}`;
    return server.anonymous.send({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature, ...headers },
    });
  };
  const answered = async (...call: Parameters<typeof send>) => {
    const answer = await send(...call);
    return { status: answer.statusCode, ...answer.json<WebhookAnswer & { code?: string; fields?: Json }>() };
  };
  const calls = async (id: number) => (await admin.get(`${base}/${id}/calls`)).json<WebhookCall[]>();
  const tasks = async () => (await admin.get(`${sample.base}/tasks`)).json<Json[]>();
  return { sample, template, base, input, create, send, answered, calls, tasks };
};
