import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { markedProcesses } from '../process/process-table.ts';
import { openUser } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import { openHouse, play } from '../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../testing/runner-harness.testing.ts';

/** A user that every machine has, without a home. */
const USER = 'nobody';
const isRoot = process.getuid?.() === 0;

let house: RunnerHarness;
afterEach(() => house.close());

const shell = (name: string, command: string) => [
  `- name: ${name}`,
  `  ansible.builtin.shell: ${JSON.stringify(command)}`,
  '  register: said',
  '  ignore_errors: true',
  '  run_once: true',
  '- ansible.builtin.debug:',
  `    msg: "${name}: {{ said.stdout }} ({{ said.rc }})"`,
  '  run_once: true',
];

/** Starts the runner for that user. False where nobody may switch users: then it has said so and ended. */
const startSeparated = async (): Promise<boolean> => {
  chmodSync(house.folder, 0o711);
  const runner = await house.startRunner({ SIGNALBOX_RUN_AS: USER });
  if (isRoot) expect(await house.server.message('hello')).toMatchObject({ run_as: USER });
  else {
    expect(await runner.exited).toBe(2);
    expect(runner.stderr()).toContain('only a runner that is started as root may switch users');
  }
  return isRoot;
};

/** An order for one host on this machine, for a user who has no home to keep Ansible's files in. */
const order = (id: number) =>
  house.job(id, {
    vault_password: 'a vault password',
    extra_variables: { a: 1 },
    inventory: {
      type: 'static',
      inventory: `one ansible_connection=local ansible_remote_tmp=${house.folder}/data/places/${id}-1/ansible`,
      access: { type: 'none' },
      become: null,
    },
  });

/** Every path below a folder with its mode and owner. */
const paths = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { mode, uid } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { mode: 0, uid: -1 };
    return { name, mode: mode & 0o777, uid };
  });

describe('a runner that is told to execute tasks as another user', () => {
  it('does so, and that user reaches nothing of the runner or of other runs', async () => {
    house = await openHouse({});
    const reads = (path: string) => `cat ${path} >/dev/null 2>&1 && echo read || echo refused`;
    house.write({
      'site.yml': play(
        ...shell('who', 'id -un; id -gn; echo $HOME; echo $USER; stat -c %U . ; cat secret.txt'),
        ...shell('order', reads(`${house.data}/runs/1-1/job.json`)),
        ...shell('output', reads(`${house.data}/runs/1-1/output.log`)),
        ...shell('list', `ls ${house.data} ${house.data}/places >/dev/null 2>&1 && echo read || echo refused`),
        ...shell('token', reads(`${house.folder}/token`)),
        ...shell('mirror', reads(`${house.data}/gitconfig`)),
        ...shell('keeper', 'cat /proc/$(cut -d" " -f4 /proc/$PPID/stat)/environ >/dev/null && echo own'),
        ...shell('write', `touch ${house.data}/places/x 2>/dev/null && echo written || echo refused`),
      ),
      'secret.txt': 'content of the checkout',
    });
    if (!(await startSeparated())) return;
    const { server } = house;
    const run = server.give(order(1));
    await server.until(() => run.ended, 'the end');
    const text = run.lines.join('\n');
    expect(run.ended?.result, text).toBe('success');
    expect(text).toMatch(new RegExp(`who: ${USER}\\\\n\\w+\\\\n\\S+/places/1-1\\\\n${USER}\\\\n${USER}\\\\ncontent`));
    for (const what of ['order', 'output', 'list', 'token', 'mirror', 'write'])
      expect(text, what).toContain(`${what}: refused`);
    expect(run.records.some((record) => record.kind === 'stats')).toBe(true);
    await house.emptied();
    await server.until(() => readdirSync(join(house.data, 'places')).length === 0, 'an empty folder');
    for (const { name, mode, uid } of paths(house.data)) {
      expect(uid, name).toBe(0);
      expect(mode & 0o077, name).toBe(name === 'places' ? 0o011 : 0);
    }
  });

  it('keeps what a run has said from that user’s later runs, while no server takes it', async () => {
    house = await openHouse({ 'site.yml': play('- ansible.builtin.shell: chmod 777 ../.') });
    if (!(await startSeparated())) return;
    const { server } = house;
    server.habits.acknowledge = false;
    const run = server.give(order(1));
    const place = join(house.data, 'places', '1-1');
    await server.until(() => existsSync(join(place, 'events.jsonl')), 'the first event');
    await server.until(() => statSync(place).uid === 0, 'a place that was taken back');
    await server.until(() => (statSync(place).mode & 0o777) === 0o700, 'a place that is closed');
    const look = { env: { PATH: TEST_PATH }, timeoutMs: 10_000 };
    const asUser = await runProgram('ls', ['--', place], { ...look, user: await openUser(USER, look.env) });
    expect(asUser.stderr).toContain('Permission denied');
    server.habits.acknowledge = true;
    server.cut();
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    expect(run.records.at(-1)?.kind).toBe('stats');
  });

  it('repairs its own folders before a run, and names any other folder that the user cannot enter', async () => {
    house = await openHouse({ 'site.yml': play('- ansible.builtin.debug: { msg: played }') });
    if (!(await startSeparated())) return;
    const { server } = house;
    for (const folder of [house.data, join(house.data, 'places')]) chmodSync(folder, 0o700);
    const repaired = server.give(order(1));
    await server.until(() => repaired.ended, 'the end of the first run');
    expect(repaired.ended?.result).toBe('success');
    expect(repaired.lines).toContain(`The user ${USER} could not enter ${house.data}: its mode was repaired.`);
    chmodSync(house.folder, 0o700);
    const refused = server.give(order(2));
    await server.until(() => refused.ended, 'the end of the second run');
    expect(refused.ended?.result).toBe('error');
    expect(refused.lines.at(-1)).toContain(`The user ${USER} of SIGNALBOX_RUN_AS cannot enter ${house.folder}:`);
    chmodSync(house.folder, 0o711);
  });

  it('ends what that user left running, also with a place that was made unreadable', async () => {
    house = await openHouse({
      'site.yml': play(
        '- name: Leave',
        '  ansible.builtin.shell: setsid sleep 300 & mkdir shut; touch shut/x; chmod 0 shut; ln -s /etc etc',
        '- name: Wait',
        '  ansible.builtin.command: sleep 300',
      ),
    });
    if (!(await startSeparated())) return;
    const { server } = house;
    const run = server.give(order(2));
    await server.until(() => run.lines.some((line) => line.includes('TASK [Wait]')), 'the wait');
    server.send({ type: 'stop', task_id: 2, epoch: 1, force: true });
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('stopped');
    expect(await markedProcesses('2-1')).toEqual([]);
    await server.until(() => readdirSync(join(house.data, 'places')).length === 0, 'an empty folder');
    expect(existsSync('/etc/passwd')).toBe(true);
  });
});

describe('a runner does not start', () => {
  const says = async (settings: Record<string, string>): Promise<string> => {
    const program = await house.startRunner(settings);
    expect(await program.exited).toBe(2);
    return program.stderr();
  };

  it.each([
    ['no-such-user-here', 'whom this machine does not know'],
    ['root', 'the superuser'],
    ['-u', 'must be the name of a user'],
  ])('to execute tasks as %s', async (name, sentence) => {
    house = await openHouse();
    expect(await says({ SIGNALBOX_RUN_AS: name })).toContain(sentence);
  });

  it('where the other user could not reach a run, or it may not switch', async () => {
    house = await openHouse();
    chmodSync(house.folder, 0o700);
    expect(await says({ SIGNALBOX_RUN_AS: USER })).toContain(isRoot ? 'cannot enter' : 'started as root');
  });
});
