import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runProgram } from '../process/program.ts';
import { openHouse } from '../testing/playbooks.testing.ts';
import { type RunnerHouse, TEST_PATH } from '../testing/runner-house.testing.ts';

let house: RunnerHouse;
afterEach(() => house.close());

const pack = async (folder: string, archive: string) => {
  const end = await runProgram('tar', ['-czf', archive, '-C', folder, '.'], {
    env: { PATH: TEST_PATH },
    timeoutMs: 10_000,
  });
  expect(end.code).toBe(0);
};

describe('requirements of a repository', () => {
  it('are installed once per content, and their roles are found', async () => {
    house = await openHouse({ 'site.yml': '- hosts: one\n  gather_facts: false\n  roles: [greeter]\n' });
    const role = join(house.folder, 'role');
    mkdirSync(join(role, 'tasks'), { recursive: true });
    mkdirSync(join(role, 'meta'));
    writeFileSync(
      join(role, 'meta', 'main.yml'),
      'galaxy_info: {author: t, description: t, license: MIT, min_ansible_version: "2.12"}\ndependencies: []\n',
    );
    writeFileSync(join(role, 'tasks', 'main.yml'), '- ansible.builtin.debug: {msg: "greetings from the role"}\n');
    await pack(role, join(house.folder, 'greeter.tar.gz'));
    const requirements = `- src: file://${house.folder}/greeter.tar.gz\n  name: greeter\n  version: "1"\n`;
    house.write({ 'roles/requirements.yml': requirements });
    const { server } = house;
    await house.startRunner();
    await server.message('hello');
    for (const task of [1, 2]) {
      const run = server.give(house.order(task));
      await server.until(() => run.ended, 'the end');
      expect(run.lines.join('\n')).toContain('greetings from the role');
      expect(run.lines).toContain('Requirements: roles/requirements.yml');
      expect(run.lines.includes('Requirements are installed already.')).toBe(task === 2);
      expect(run.ended?.result).toBe('success');
    }
    expect(readdirSync(join(house.data, 'galaxy'))).toHaveLength(1);
  });

  it('that cannot be installed end the run in one sentence, after what ansible-galaxy said', async () => {
    house = await openHouse({
      'site.yml': '- hosts: one\n',
      'requirements.yml': '- src: ./role.tar.gz\n  name: missing\n',
      'role.tar.gz': 'no archive',
    });
    const { server } = house;
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'error', reason: 'preparation' });
    expect(run.lines.at(-1)).toBe(
      'ansible-galaxy could not install the roles of requirements.yml: see the lines above.',
    );
    expect(run.lines.length).toBeGreaterThan(5);
    expect(readdirSync(join(house.data, 'galaxy'))).toEqual([]);
  });
});
