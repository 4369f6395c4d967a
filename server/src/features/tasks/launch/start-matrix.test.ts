import type { Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../testing/database/databases.ts';
import { scheduledProject } from '../../../testing/scheduled-project.ts';

const CANARY = 'canary-of-a-secret';
const CHOICES = [{ value: 'a' }, { value: 'b' }];

/** A variable of each type with an answer, and an answer that breaks its rule. */
const VARIABLES = [
  { name: 'text', type: '', pattern: '[a-z]+', good: 'abc', bad: 'ABC' },
  { name: 'lines', type: 'multiline', max: 5, good: 'a\nb', bad: 'a\nb\nc\nd' },
  { name: 'count', type: 'int', min: 1, max: 9, good: 5, bad: 10 },
  { name: 'share', type: 'decimal', good: 0.5, bad: 'half' },
  { name: 'restart', type: 'bool', good: true, bad: 'perhaps' },
  { name: 'size', type: 'enum', values: CHOICES, good: 'a', bad: 'z' },
  { name: 'zones', type: 'multiple', values: CHOICES, good: ['a', 'b'], bad: ['a', 'z'] },
  { name: 'day', type: 'date', good: '2026-12-24', bad: '24.12.2026' },
  { name: 'moment', type: 'datetime', good: '2026-12-24T07:30', bad: 'soon' },
  { name: 'token', type: 'secret', min: 8, good: CANARY, bad: 'short' },
] as const;

const GOOD_ANSWERS = Object.fromEntries(VARIABLES.map(({ name, good }) => [name, good]));
const { token: _, ...SHOWN_ANSWERS } = GOOD_ANSWERS;

/** Each option with a value, and a value that is refused. */
const OPTIONS = {
  limit: ['web', '-x'],
  tags: [['deploy'], ['a', ' ']],
  skip_tags: [['slow'], ['a', ' ']],
  verbosity: [2, 9],
  forks: [7, 0],
  dry_run: [true, 'perhaps'],
  diff: [true, 'perhaps'],
  git_branch: ['release', '-x'],
  max_duration: [120, -1],
  runner_tags: [['frankfurt'], ['a b']],
  priority: [3, 11],
  inventory_id: [1, 2_000_000_000],
  environment_id: [1, 2_000_000_000],
} as const;

const GOOD_OPTIONS = Object.fromEntries(Object.entries(OPTIONS).map(([name, [good]]) => [name, good]));

describeOneDatabase('[S2] a call, a schedule and a webhook that start tasks', (makeLocation) => {
  const setUp = async () => {
    const project = await scheduledProject(await makeLocation(), '2026-11-24T10:00:00.000Z');
    const { client, sample, clock } = project;
    const template = (prompt: 'any' | 'fixed') =>
      sample.template({
        name: `Prompts ${prompt}`,
        survey_vars: VARIABLES.map(({ good: _good, bad: _bad, ...variable }) => variable),
        prompts: Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, prompt])),
      });
    /** Stores or starts something with these values, and answers the response. */
    const senders = {
      call: (template_id: number, values: object) => client.post(`${sample.base}/tasks`, { template_id, ...values }),
      schedule: (template_id: number, launch_values: object) =>
        client.post(`${sample.base}/schedules`, {
          ...{ template_id, launch_values, run_at: new Date(clock.now().getTime() + 60_000).toISOString() },
        }),
      webhook: (template_id: number, launch_values: object) =>
        client.post(`${sample.base}/webhooks`, { template_id, launch_values, name: 'Push', sender_check: 'none' }),
    } as const;
    return { ...project, template, senders };
  };
  const NAMES = ['call', 'schedule', 'webhook'] as const;
  const prefix = (sender: (typeof NAMES)[number]) => (sender === 'call' ? '' : 'launch_values.');
  const asText = (environment: object) => ({ environment: JSON.stringify(environment) });

  it('accept each type of answer and each option, and keep secret answers to themselves', async () => {
    const { client, sample, server, template, senders, passMinutes } = await setUp();
    const id = await template('any');
    const values = { ...asText(GOOD_ANSWERS), ...GOOD_OPTIONS };
    for (const sender of NAMES) {
      const answer = await senders[sender](id, values);
      expect([sender, answer.statusCode, answer.body]).toEqual([sender, 201, expect.any(String)]);
      if (sender === 'schedule') await passMinutes(2);
      if (sender === 'webhook') {
        const { pathname } = new URL(answer.json<{ address: string }>().address);
        const payload = { method: 'POST', url: pathname, payload: {} } as const;
        expect((await server.anonymous.send(payload)).statusCode).toBe(202);
      }
      const [task] = (await client.get(`${sample.base}/templates/${id}/tasks`)).json<Task[]>();
      expect(JSON.parse(task?.environment ?? ''), sender).toEqual(SHOWN_ANSWERS);
      expect(task, sender).toMatchObject(GOOD_OPTIONS);
    }
    for (const path of ['tasks', 'schedules', 'webhooks', 'events', `templates/${id}/launches`])
      expect((await client.get(`${sample.base}/${path}`)).body, path).not.toContain(CANARY);
  });

  it('refuse each wrong answer, each wrong option, and each option that the template fixes, by name', async () => {
    const { template, senders } = await setUp();
    const [open, fixed] = [await template('any'), await template('fixed')];
    const refusal = async (sender: (typeof NAMES)[number], id: number, values: object) => {
      const answer = await senders[sender](id, values);
      return [answer.statusCode, Object.keys(answer.json<{ fields?: object }>().fields ?? {})];
    };
    for (const sender of NAMES) {
      for (const { name, bad } of VARIABLES)
        expect(await refusal(sender, open, asText({ ...GOOD_ANSWERS, [name]: bad })), `${sender} ${name}`).toEqual([
          400,
          [`${prefix(sender)}environment.${name}`],
        ]);
      for (const [name, [good, bad]] of Object.entries(OPTIONS)) {
        const [status, fields] = await refusal(sender, open, { ...asText(GOOD_ANSWERS), [name]: bad });
        expect([status, String(fields)], `${sender} ${name}`).toEqual([400, expect.stringContaining(name)]);
        const isSame = name === 'inventory_id' || name === 'environment_id';
        if (isSame) continue;
        const other = await refusal(sender, fixed, { ...asText(GOOD_ANSWERS), [name]: good });
        expect(other, `${sender} fixed ${name}`).toEqual([400, [`${prefix(sender)}${name}`]]);
      }
    }
  });
});
