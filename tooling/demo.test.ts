import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawSample } from '../testing/sample.ts';

const run = promisify(execFile);
const DEMO = fileURLToPath(new URL('../demo', import.meta.url));

interface DemoTemplate {
  readonly name: string;
  readonly playbook: string;
  readonly inventory: string;
  readonly view: string;
  readonly builds?: string;
}
interface DemoProject {
  readonly vault: { readonly password: string };
  readonly inventories: readonly { readonly name: string; readonly file: string }[];
  readonly views: readonly string[];
  readonly templates: readonly DemoTemplate[];
}

interface Recap {
  readonly hosts: number;
  readonly ok: number;
  readonly changed: number;
  readonly skipped: number;
  readonly rescued: number;
  readonly lost: number;
}

const recapOf = (output: string): Recap => {
  const lines = output.split('\n').filter((line) => / ok=\d+ .*ignored=\d+/.test(line));
  const sum = (text: string): number =>
    lines.reduce((total, line) => total + Number(new RegExp(`${text}=(\\d+)`).exec(line)?.[1]), 0);
  return {
    hosts: lines.length,
    ok: sum('ok'),
    changed: sum('changed'),
    skipped: sum('skipped'),
    rescued: sum('rescued'),
    lost: sum('failed') + sum('unreachable'),
  };
};

describe('the demo project', () => {
  let folder: string;
  let project: DemoProject;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-demo-test-'));
    project = JSON.parse(await readFile(join(DEMO, 'demo-project.json'), 'utf8'));
    await writeFile(join(folder, 'vault-password'), project.vault.password, { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a template's playbook with an environment that holds nothing else, as a runner's does. */
  const play = async (name: string, details: Record<string, unknown>, ...args: string[]): Promise<string> => {
    const template = project.templates.find((one) => one.name === name);
    const inventory = project.inventories.find((one) => one.name === template?.inventory);
    if (!template || !inventory) throw new Error(`demo-project.json has no template ${name} with an inventory`);
    const variables = JSON.stringify({ semaphore_vars: { task_details: { id: 7, username: 'admin', ...details } } });
    const { stdout } = await run(
      'ansible-playbook',
      [
        ...['-i', join(DEMO, inventory.file), '--vault-password-file', join(folder, 'vault-password')],
        ...['-e', variables, ...args, template.playbook],
      ],
      { cwd: DEMO, env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' } },
    );
    return stdout;
  };

  it('names only playbooks, inventories, views and builds that exist', async () => {
    for (const { playbook, inventory, view, builds } of project.templates) {
      await expect(readFile(join(DEMO, playbook), 'utf8')).resolves.toContain('hosts:');
      expect(project.inventories.map(({ name }) => name)).toContain(inventory);
      expect(project.views).toContain(view);
      if (builds) expect(project.templates.map(({ name }) => name)).toContain(builds);
    }
  });

  const build = async () => {
    const first = await play('Build', { type: 'build', target_version: '1.0.0' });
    expect(recapOf(first)).toMatchObject({ hosts: 1, lost: 0, rescued: 1, skipped: 1 });
    const second = await play('Build', { type: 'build', target_version: '1.0.1' });
    const recap = recapOf(second);
    expect(recap).toMatchObject({ hosts: 1, lost: 0, rescued: 0, skipped: 1 });
    expect(recap.changed).toBeGreaterThan(0);
    expect(recap.ok).toBeGreaterThan(recap.changed);
    expect(second).toContain('site-1.0.1.tar.gz');
  };

  const deployToDev = async () => {
    const output = await play('Deploy to Dev', { type: 'deploy', incoming_version: '1.0.1' });
    const recap = recapOf(output);
    expect(recap).toMatchObject({ hosts: 3, lost: 0, rescued: 0 });
    expect(recap.changed).toBeGreaterThan(3);
    expect(recap.skipped).toBeGreaterThan(0);
    expect(output).toContain('development runs 1.0.1 on web-01.dev, web-02.dev');
    expect(output).toContain('skipping: no hosts matched');
  };

  const deployToProduction = async () => {
    const output = await play('Deploy to Production', { type: 'deploy', incoming_version: '1.0.1' }, '--diff');
    const recap = recapOf(output);
    expect(recap).toMatchObject({ hosts: 7, lost: 0, rescued: 0 });
    expect(recap.skipped).toBeGreaterThan(0);
    expect(output.match(/RUNNING HANDLER \[release : Reload the web server\]/g)).toHaveLength(2);
    expect(output).not.toContain('demo-tr4ck');
    const again = recapOf(await play('Deploy to Production', { id: 8, type: 'deploy', incoming_version: '1.0.1' }));
    expect(again).toMatchObject({ hosts: 7, lost: 0, changed: 1 });
  };

  const deployUnbuilt = async () => {
    const output = await play('Deploy to Production', { incoming_version: '4.2.0' }, '--limit', 'web-03.prod');
    expect(recapOf(output)).toMatchObject({ hosts: 1, lost: 0 });
    expect(recapOf(await play('Deploy to Dev', { incoming_version: '4.3.0' }, '--check'))).toMatchObject({
      hosts: 3,
      lost: 0,
    });
  };

  const ping = async () => {
    const output = await play('Ping Site', {});
    const recap = recapOf(output);
    expect(recap).toMatchObject({ hosts: 7, lost: 0 });
    expect(recap.changed).toBeGreaterThan(0);
    expect(recap.skipped).toBeGreaterThan(0);
    expect(output).toContain('web-02.prod answers pong and runs site-1.0.1');
  };

  // The steps of each story share one folder: `deployToDev` deploys what `build` built. Each story starts with an empty one.
  const stories: Record<string, readonly (() => Promise<void>)[]> = {
    'builds from an empty cache, builds again, and deploys to three servers': [build, deployToDev],
    'deploys to production without showing a secret of the vault, and pings all': [build, deployToProduction, ping],
    'deploys a version that this machine has never built, to one server, and as a dry run': [deployUnbuilt],
  };

  it.each(drawSample('demo playbooks: all', Object.entries(stories), 1))('%s', async (_, steps) => {
    for (const step of steps) await step();
  });
});
