import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventReader, PluginEvent } from '../../output/event-reader.ts';
import { Masker } from '../../output/masker.ts';
import { runProgram } from '../../process/program.ts';
import { localHost } from '../../testing/runner-harness.testing.ts';
import { CALLBACK_FOLDER } from './process-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-notes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = async (tasks: string, env: Record<string, string> = {}) => {
  writeFileSync(join(folder, 'site.yml'), `- hosts: web\n  gather_facts: false\n  tasks:\n${tasks}`);
  writeFileSync(join(folder, 'hosts'), `[web]\n${localHost('one')}[frankfurt:children]\nweb\n`);
  await runProgram('ansible-playbook', ['--diff', '-i', join(folder, 'hosts'), join(folder, 'site.yml')], {
    cwd: folder,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      ANSIBLE_CALLBACK_PLUGINS: CALLBACK_FOLDER,
      ANSIBLE_CALLBACKS_ENABLED: 'signalbox',
      SIGNALBOX_EVENTS: join(folder, 'events.jsonl'),
      ...env,
    },
    timeoutMs: 60_000,
  });
  return readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => PluginEvent.parse(JSON.parse(row)))
    .filter((event) => event.kind === 'host');
};

const SETUP = '    - ansible.builtin.setup: {gather_subset: [hardware, network]}\n';
const copy = (content: string, more = '') =>
  `    - ansible.builtin.copy: {dest: "${join(folder, 'app.conf')}", content: "${content}"}\n${more}`;

describe('what the callback plugin notes about a host', () => {
  it('contains its groups once, and the chosen facts of a step that gathers them', async () => {
    const [first, second] = await run(SETUP + SETUP, { SIGNALBOX_FACTS: '1' });
    expect(first?.groups).toEqual(['frankfurt', 'web']);
    expect(second?.groups).toBeUndefined();
    expect(first?.facts).toMatchObject({ kernel: expect.any(String), 'memory MB': expect.any(Number) });
    expect(Object.keys(first?.facts ?? {}).some((name) => /local|date|uptime|env/.test(name))).toBe(false);
  });

  it('contains no facts if the project does not collect them, or the step is hidden', async () => {
    const hidden = `${SETUP}      no_log: true\n`;
    expect((await run(SETUP))[0]?.facts).toBeUndefined();
    rmSync(join(folder, 'events.jsonl'));
    expect((await run(hidden, { SIGNALBOX_FACTS: '1' }))[0]?.facts).toBeUndefined();
  });

  it('contains what a step changed with its difference, without colours, and nothing of a hidden step', async () => {
    writeFileSync(join(folder, 'app.conf'), 'size = 8\nport = 1\n');
    const [changed, hidden] = await run(copy('size = 10\\nport = 1\\n') + copy('password\\n', '      no_log: true\n'), {
      ANSIBLE_FORCE_COLOR: '1',
    });
    expect(changed).toMatchObject({ result: 'changed', target: join(folder, 'app.conf') });
    expect(changed?.diff).toContain('-size = 8\n+size = 10\n port = 1');
    expect(changed?.diff).not.toContain('\u001b');
    expect([hidden?.result, hidden?.target, hidden?.diff]).toEqual(['changed', undefined, undefined]);
  });

  it('contains a difference only up to its limit', async () => {
    const [changed] = await run(copy('line {{ item }}\\n'.repeat(3000).replaceAll('{{ item }}', 'of a long file')));
    expect(changed?.diff).toHaveLength(16 * 1024 + 1);
  });
});

describe('the notes of a record', () => {
  it('are masked', async () => {
    const event = {
      ...{ kind: 'host', at: 1, mark: 1, step: 1, host: 'one', result: 'changed', message: '' },
      ...{ groups: ['of topsecret'], facts: { kernel: 'topsecret 6', 'memory MB': 5 } },
      ...{ target: '/etc/topsecret', diff: '-old\n+password = topsecret' },
    };
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, `${JSON.stringify(event)}\n`);
    const reader = new EventReader(path, new Masker(['topsecret']));
    const [record] = await reader.read(true);
    await reader.close();
    expect(record).toMatchObject({
      groups: ['of ****'],
      facts: { kernel: '**** 6', 'memory MB': 5 },
      target: '/etc/****',
      diff: '-old\n+password = ****',
    });
  });
});
