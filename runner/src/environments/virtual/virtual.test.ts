import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import type { AnsibleJob } from '../../apps/ansible/ansible-job.ts';
import { isAlive, parseIdentity } from '../../process/process-table.ts';
import { runProgram } from '../../process/program.ts';
import { INDEX_PASSWORD, PackageIndex } from '../../testing/package-index.testing.ts';
import { HELLO, openHarness } from '../../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';

/** A build backend that starts a daemon without the variables of its run, and fails. */
const hidingBackend = (file: string) => `
import os, sys, time

DAEMON = '''
import os, time
start = open('/proc/self/stat').read().rsplit(')', 1)[1].split()[19]
open('${file}.new', 'w').write(f"{os.getpid()} {start}")
os.rename('${file}.new', '${file}')
time.sleep(300)
'''

def build_wheel(*_):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execve(sys.executable, [sys.executable, '-c', DAEMON], {})
        os._exit(0)
    while not os.path.exists('${file}'): time.sleep(0.01)
    raise SystemExit(1)
`;

let harness: RunnerHarness;
let index: PackageIndex;
let lastTask = 0;

beforeEach(async () => {
  harness = await openHarness({
    'site.yml': HELLO,
    'python/requirements.txt': '-r common.txt\n',
    'python/common.txt': 'ansible-core==1.0  # the old one\n',
  });
  index = await PackageIndex.start(join(harness.folder, 'packages'));
});
afterEach(async () => {
  await harness.close();
  await index.close();
});

const start = async (settings: Record<string, string> = {}): Promise<void> => {
  await harness.startRunner(settings);
  await harness.server.message('hello');
};

type Virtual = { requirements?: string; requirements_file?: string };

const jobWith = (virtual: Virtual, change: Partial<AnsibleJob> = {}): AnsibleJob =>
  harness.job(++lastTask, {
    execution_environment: { kind: 'virtual', requirements: '', requirements_file: '', ...virtual },
    secret_environment: { PIP_INDEX_URL: index.url },
    ...change,
  });

const end = async (virtual: Virtual, change: Partial<AnsibleJob> = {}) => {
  const run = harness.server.sendJob(jobWith(virtual, change));
  await harness.server.until(() => run.ended, 'the end', 120_000);
  return { ...run, text: run.lines.join('\n') };
};

const entries = () => readdirSync(join(harness.data, 'environments'));

describe('a run in a virtual environment', () => {
  it('has the version of its template, next to runs with another one, and shares builds within its project', async () => {
    await start();
    const [old, current] = await Promise.all([
      end({ requirements_file: 'python/requirements.txt' }),
      end({ requirements: 'ansible-core==2.0' }),
    ]);
    expect(old.text).toMatch(/^ansible-core 1\.0 in .*environments/m);
    expect(current.text).toMatch(/^ansible-core 2\.0 in .*environments/m);
    expect(current.text).toMatch(/^Virtual environment: built \(Python 3\.\d+\.\d+, ansible-core 2\.0\)$/m);
    const again = await end({ requirements: '# a comment\nansible-core==2.0\n' });
    expect(again.text).toMatch(/^Virtual environment: reused \(Python 3\.\d+\.\d+, ansible-core 2\.0\)$/m);
    for (const { text } of [old, current, again]) expect(text).not.toContain(INDEX_PASSWORD);
    expect(entries()).toHaveLength(2);
    const elsewhere = await end({ requirements: 'ansible-core==2.0' }, { project_id: 2 });
    expect(elsewhere.text).toContain('Virtual environment: built');
    expect(entries()).toHaveLength(3);
  }, 300_000);

  it('[S2] shares no roles with other projects and environments, because its ansible-galaxy installs them', async () => {
    harness.write({
      'requirements.yml': '- {src: ./greeter.tar.gz, name: greeter}\n',
      'role/meta/main.yml': 'galaxy_info: {author: t, description: t, license: MIT, min_ansible_version: "2.12"}\n',
    });
    const tar = ['-czf', join(harness.repository, 'greeter.tar.gz'), '-C', join(harness.repository, 'role'), '.'];
    expect((await runProgram('tar', tar, { env: { PATH: TEST_PATH }, timeoutMs: 10_000 })).code).toBe(0);
    await start();
    const isInstalled = async (requirements: string, change: Partial<AnsibleJob>) => {
      const { ended, text } = await end({ requirements }, change);
      expect(ended?.result, text).toBe('success');
      return !text.includes('Requirements are installed already.');
    };
    expect(await isInstalled('ansible-core==2.0', { project_id: 1 })).toBe(true);
    expect(await isInstalled('ansible-core==2.0', { project_id: 1 })).toBe(false);
    expect(await isInstalled('ansible-core==2.0', { project_id: 2 })).toBe(true);
    expect(await isInstalled('ansible-core==1.0', { project_id: 1 })).toBe(true);
    expect(await isInstalled('', { project_id: 1, execution_environment: { kind: 'system' } })).toBe(true);
  }, 300_000);

  it('ends with the reason when its environment cannot be built, and leaves nothing', async () => {
    await start();
    const reasonOf = async (virtual: Virtual) => (await end(virtual)).ended?.end_reason;
    expect(await reasonOf({ requirements: 'other' })).toEqual({
      code: 'virtual_environment.program_missing',
      params: { program: 'ansible-playbook', package: 'ansible-core' },
    });
    expect(await reasonOf({ requirements: 'ansible-core==3.0' })).toEqual({
      code: 'virtual_environment.not_installed',
      params: { program: 'pip' },
    });
    expect(await reasonOf({ requirements: '-e ./python' })).toMatchObject({
      code: 'virtual_environment.requirement_refused',
    });
    expect(await reasonOf({ requirements_file: 'missing.txt' })).toEqual({
      code: 'virtual_environment.file_missing',
      params: { file: 'missing.txt' },
    });
    for (const entry of entries()) expect(readdirSync(join(harness.data, 'environments', entry))).toEqual([]);
  }, 300_000);

  it('leaves no daemon of a build backend that hides from its run', async () => {
    const pid = join(harness.folder, 'daemon');
    harness.write({
      'package/pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
      'package/backend.py': hidingBackend(pid),
    });
    await start();
    const { ended, text } = await end({ requirements: './package' });
    expect(ended?.end_reason, text).toMatchObject({ code: 'virtual_environment.not_installed' });
    const daemon = parseIdentity(readFileSync(pid, 'utf8'));
    expect(daemon && isAlive(daemon)).toBe(false);
  }, 120_000);

  it('can be stopped while its environment is built, which ends every process', async () => {
    await start();
    index.isSilent = true;
    const job = jobWith({ requirements: 'ansible-core==2.0' });
    const run = harness.server.sendJob(job);
    await harness.server.until(() => index.requests.length > 0, 'a request to the index', 120_000);
    harness.server.send({ type: 'stop', task_id: job.task_id, epoch: 1, force: false });
    await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result).toBe('stopped');
    for (const entry of entries()) expect(readdirSync(join(harness.data, 'environments', entry))).toEqual([]);
  }, 300_000);

  it('[S5] cannot change its environment, which the run user has built', async () => {
    chmodSync(harness.folder, 0o711);
    const runner = await harness.startRunner({ SIGNALBOX_RUN_AS: 'nobody' });
    if (process.getuid?.() !== 0) {
      expect(await runner.exited).toBe(2);
      return;
    }
    await harness.server.message('hello');
    const { text } = await end({ requirements: 'ansible-core==2.0' });
    const venv = /ansible-core 2\.0 in (\S+)/.exec(text)?.[1] ?? '';
    expect(existsSync(venv)).toBe(true);
    const paths = readdirSync(venv, { recursive: true, withFileTypes: true }).filter((one) => !one.isSymbolicLink());
    for (const one of paths) {
      const { uid, mode } = statSync(join(one.parentPath, one.name));
      expect([uid, mode & 0o022], one.name).toEqual([0, 0]);
    }
  }, 300_000);

  it.each(drawSample('ansible-core of PyPI: versions', ['2.16.14', '2.18.6'], 0))(
    'has results for each host with ansible-core %s of PyPI',
    async (version) => {
      await start();
      const index = { PIP_CERT: '/etc/ssl/certs/ca-certificates.crt', PIP_INDEX_URL: 'https://pypi.org/simple' };
      const variables = { secret_environment: {}, process_environment: index };
      const { text, ended, records } = await end({ requirements: `ansible-core==${version}` }, variables);
      expect(ended?.result, text).toBe('success');
      expect(text).toContain(`ansible-core ${version})`);
      expect(records.filter(({ kind }) => kind === 'host')).toHaveLength(2);
    },
    600_000,
  );
});
