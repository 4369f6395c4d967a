import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../../tooling/product/playbook-project.ts';
import { INVENTORY, SHORT_PLAYBOOK } from '../bare-playbook.ts';
import { floodRepository, startRepository, steadyRepository } from '../line-plugin.ts';
import { writeLines } from '../long-lines.ts';
import type { PeerClient } from './peer-client.ts';

export const FLOOD_LINES = 100_000;
export const STEADY = { linesPerSecond: 200, seconds: 10 } as const;

/** Playbooks, each in a repository of its own, with a template that runs it. */
export interface PeerProject {
  readonly id: number;
  readonly templates: Readonly<Record<'hello' | 'started' | 'flood' | 'steady', number>>;
  remove(): void;
}

/** @param prefix what the server needs before the path of a repository, such as `file://` */
export const createProject = async (client: PeerClient, prefix: string): Promise<PeerProject> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const lines = join(folder, 'lines');
  await writeLines(lines, FLOOD_LINES);
  const id = await client.create('projects', { name: `Bench ${Date.now()}` });
  const base = `project/${id}`;
  const key = await client.create(`${base}/keys`, { name: 'None', type: 'none', project_id: id });
  const inventory = await client.create(`${base}/inventory`, {
    ...{ name: 'This machine', project_id: id, type: 'static', inventory: INVENTORY, ssh_key_id: key },
  });
  const environment = await client.create(`${base}/environment`, {
    name: 'Empty',
    project_id: id,
    json: '{}',
    env: '{}',
  });
  const repositories: string[] = [];
  const template = async (name: string, files: Readonly<Record<string, string>>, playbook: string): Promise<number> => {
    const path = makeRepository(files);
    repositories.push(path);
    const repository = await client.create(`${base}/repositories`, {
      ...{ name, project_id: id, git_url: prefix + path, git_branch: 'main', ssh_key_id: key },
    });
    return await client.create(`${base}/templates`, {
      ...{ name, project_id: id, playbook, type: '', app: 'ansible', allow_parallel_tasks: true },
      ...{ inventory_id: inventory, environment_id: environment, repository_id: repository },
    });
  };
  return {
    id,
    templates: {
      hello: await template('Short', { 'hello.yml': SHORT_PLAYBOOK }, 'hello.yml'),
      started: await template('Start', startRepository(), 'noisy.yml'),
      flood: await template('Flood', floodRepository(lines), 'noisy.yml'),
      steady: await template('Steady', steadyRepository(STEADY.linesPerSecond, STEADY.seconds), 'noisy.yml'),
    },
    remove: () => {
      for (const path of [folder, ...repositories]) rmSync(path, { recursive: true, force: true });
    },
  };
};
