import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { markedProcesses } from '../process/process-table.ts';
import { openUser } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import { openHarness, play } from '../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../testing/runner-harness.testing.ts';

/** A user that exists on every machine, without a home folder. */
const USER = 'nobody';
const isRoot = process.getuid?.() === 0;

let harness: RunnerHarness;
afterEach(() => harness.close());

const shell = (name: string, command: string) => [
  `- name: ${name}`,
  `  ansible.builtin.shell: ${JSON.stringify(command)}`,
  '  register: result',
  '  ignore_errors: true',
  '  run_once: true',
  '- ansible.builtin.debug:',
  `    msg: "${name}: {{ result.stdout }} ({{ result.rc }})"`,
  '  run_once: true',
];

/**
 * Starts the runner with that run user.
 * @returns false if this process may not switch users: then the runner has logged that and ended
 */
const startSeparated = async (): Promise<boolean> => {
  chmodSync(harness.folder, 0o711);
  const runner = await harness.startRunner({ SIGNALBOX_RUN_AS: USER });
  if (isRoot) expect(await harness.server.message('hello')).toMatchObject({ run_as: USER });
  else {
    expect(await runner.exited).toBe(2);
    expect(runner.stderr()).toContain('only a runner that is started as root may switch users');
  }
  return isRoot;
};

/** A job for one local host, for a run user without a home folder for Ansible's files. */
const jobOf = (id: number) =>
  harness.job(id, {
    vault_password: 'a vault password',
    extra_variables: { a: 1 },
    inventory: {
      type: 'static',
      inventory: `one ansible_connection=local ansible_remote_tmp=${harness.folder}/data/places/${id}-1/ansible`,
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

describe('a runner with SIGNALBOX_RUN_AS', () => {
  it('executes tasks as that user, who cannot access the runner or other runs', async () => {
    harness = await openHarness({});
    const reads = (path: string) => `cat ${path} >/dev/null 2>&1 && echo read || echo refused`;
    harness.write({
      'site.yml': play(
        ...shell('who', 'id -un; id -gn; echo $HOME; echo $USER; stat -c %U . ; cat secret.txt'),
        ...shell('job', reads(`${harness.data}/runs/1-1/job.json`)),
        ...shell('output', reads(`${harness.data}/runs/1-1/output.log`)),
        ...shell(
          'list',
          `ls ${harness.data} ${join(harness.data, 'places')} >/dev/null 2>&1 && echo read || echo refused`,
        ),
        ...shell('token', reads(`${harness.folder}/token`)),
        ...shell('mirror', reads(`${harness.data}/gitconfig`)),
        ...shell('supervisor', 'cat /proc/$(cut -d" " -f4 /proc/$PPID/stat)/environ >/dev/null && echo own'),
        ...shell('write', `touch ${join(harness.data, 'places', 'x')} 2>/dev/null && echo written || echo refused`),
      ),
      'secret.txt': 'content of the checkout',
    });
    if (!(await startSeparated())) return;
    const { server } = harness;
    const run = server.sendJob(jobOf(1));
    await server.until(() => run.ended, 'the end');
    const text = run.lines.join('\n');
    expect(run.ended?.result, text).toBe('success');
    expect(text).toMatch(new RegExp(`who: ${USER}\\\\n\\w+\\\\n\\S+/places/1-1\\\\n${USER}\\\\n${USER}\\\\ncontent`));
    for (const what of ['job', 'output', 'list', 'token', 'mirror', 'write'])
      expect(text, what).toContain(`${what}: refused`);
    expect(run.records.some((record) => record.kind === 'stats')).toBe(true);
    await harness.emptied();
    await server.until(() => readdirSync(join(harness.data, 'places')).length === 0, 'an empty folder');
    for (const { name, mode, uid } of paths(harness.data)) {
      expect(uid, name).toBe(0);
      expect(mode & 0o077, name).toBe(name === 'places' ? 0o011 : 0);
    }
  });

  it('hides the output of a run from later runs of that user while no server accepts it', async () => {
    harness = await openHarness({ 'site.yml': play('- ansible.builtin.shell: chmod 777 ../.') });
    if (!(await startSeparated())) return;
    const { server } = harness;
    server.reactions.storeOutput = false;
    const run = server.sendJob(jobOf(1));
    const workspace = join(harness.data, 'places', '1-1');
    await server.until(() => existsSync(join(workspace, 'events.jsonl')), 'the first event');
    await server.until(() => statSync(workspace).uid === 0, 'a workspace of the runner');
    await server.until(() => (statSync(workspace).mode & 0o777) === 0o700, 'a workspace with mode 0700');
    const options = { env: { PATH: TEST_PATH }, timeoutMs: 10_000 };
    const asUser = await runProgram('ls', ['--', workspace], { ...options, user: await openUser(USER, options.env) });
    expect(asUser.stderr).toContain('Permission denied');
    server.reactions.storeOutput = true;
    server.cut();
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    expect(run.records.at(-1)?.kind).toBe('stats');
  });

  it('repairs its own folders before a run, and names any other folder that the user cannot enter', async () => {
    harness = await openHarness({ 'site.yml': play('- ansible.builtin.debug: { msg: played }') });
    if (!(await startSeparated())) return;
    const { server } = harness;
    for (const folder of [harness.data, join(harness.data, 'places')]) chmodSync(folder, 0o700);
    const repaired = server.sendJob(jobOf(1));
    await server.until(() => repaired.ended, 'the end of the first run');
    expect(repaired.ended?.result).toBe('success');
    expect(repaired.lines).toContain(`The user ${USER} could not enter ${harness.data}: its mode was repaired.`);
    chmodSync(harness.folder, 0o700);
    const refused = server.sendJob(jobOf(2));
    await server.until(() => refused.ended, 'the end of the second run');
    expect(refused.ended?.result).toBe('error');
    expect(refused.lines.at(-1)).toContain(`The user ${USER} of SIGNALBOX_RUN_AS cannot enter ${harness.folder}:`);
    chmodSync(harness.folder, 0o711);
  });

  it('ends processes that the user left, also if the workspace was made unreadable', async () => {
    harness = await openHarness({
      'site.yml': play(
        '- name: Leave',
        '  ansible.builtin.shell: setsid sleep 300 & mkdir shut; touch shut/x; chmod 0 shut; ln -s /etc etc',
        '- name: Wait',
        '  ansible.builtin.command: sleep 300',
      ),
    });
    if (!(await startSeparated())) return;
    const { server } = harness;
    const run = server.sendJob(jobOf(2));
    await server.until(() => run.lines.some((line) => line.includes('TASK [Wait]')), 'the wait');
    server.send({ type: 'stop', task_id: 2, epoch: 1, force: true });
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('stopped');
    expect(await markedProcesses('2-1')).toEqual([]);
    await server.until(() => readdirSync(join(harness.data, 'places')).length === 0, 'an empty folder');
    expect(existsSync('/etc/passwd')).toBe(true);
  });
});

describe('a runner with an unusable run user', () => {
  const errorOf = async (settings: Record<string, string>): Promise<string> => {
    const program = await harness.startRunner(settings);
    expect(await program.exited).toBe(2);
    return program.stderr();
  };

  it.each([
    ['no-such-user-here', 'who does not exist on this machine'],
    ['root', 'the superuser'],
    ['-u', 'must be the name of a user'],
  ])('does not start if SIGNALBOX_RUN_AS is %s', async (name, message) => {
    harness = await openHarness();
    expect(await errorOf({ SIGNALBOX_RUN_AS: name })).toContain(message);
  });

  it('does not start if that user cannot enter the workspaces, or the runner may not switch users', async () => {
    harness = await openHarness();
    chmodSync(harness.folder, 0o700);
    expect(await errorOf({ SIGNALBOX_RUN_AS: USER })).toContain(isRoot ? 'cannot enter' : 'started as root');
  });
});
