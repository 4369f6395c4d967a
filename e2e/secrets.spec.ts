import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isWholeRun } from '../testing/sample.ts';
import { ApiClient } from '../tooling/product/api-client.ts';
import { Product, until } from '../tooling/product/product.ts';
import { Canaries } from './secrets/canaries.ts';
import { crawl } from './secrets/crawl.ts';
import {
  canariesInFiles,
  listenAndHangUp,
  ProcessWatch,
  readableByOthers,
  TemporaryFileWatch,
} from './secrets/machine.ts';
import { sendMalformed } from './secrets/malformed.ts';
import { Recorder } from './secrets/recorder.ts';
import { plantSecondFactor } from './secrets/second-factor.ts';
import { plantProject } from './secrets/secret-project.ts';

/** On the machine of the runner the login is not secret, because it is an argument of ssh. */
const isLogin = (found: string): boolean => found.endsWith(': login');
/** What the API returns to managers: the address of a repository as it was typed, and the login of a key. */
const MAY_ANSWER = (call: string, found: string): boolean =>
  (/^(GET|POST) \/project\/\d+\/repositories(\/\d+)?$/.test(call) && found.startsWith('URL: ')) ||
  (/^(GET|POST) \/project\/\d+\/keys(\/\d+)?$/.test(call) && isLogin(found));
/** Number of runs in addition to those that wait at the gate: 50 in total with `npm run test:full`, else 20. */
const MANY_RUNS = isWholeRun() ? 42 : 12;
const FOLLOWED = 10;
const STATE = /^signalbox\.db/;

test('[S3][S4][S5][S6] a stored secret can be read only in the folder of a run that uses it', async () => {
  test.setTimeout(900_000);
  const canaries = new Canaries();
  const recorder = new Recorder();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  const gate = join(mkdtempSync(join(tmpdir(), 'signalbox-gate-')), 'open');
  const product = await Product.start({
    HOME: home,
    SIGNALBOX_LOG_LEVEL: 'debug',
    SIGNALBOX_ADMIN_PASSWORD: canaries.plant('admin password'),
  });
  const processes = new ProcessWatch(canaries, product.folder);
  const temporary = new TemporaryFileWatch(canaries, home);
  const hangUp = await listenAndHangUp(() => processes.scan());
  const { address } = product;
  try {
    const admin = await product.client(recorder.fetch);
    await product.runnerReady(admin);
    const { params, templates, ids, answersOf } = await plantProject(admin, canaries, gate, hangUp.port);

    const user = async (role: 'manager' | 'guest') => {
      const password = canaries.plant(`${role}: first password`);
      const body = { name: role, username: role, email: `${role}@example.com`, password };
      const { id } = await admin.call('createUser', { body });
      await admin.call('addProjectUser', { params, body: { user_id: id, role } });
      const client = new ApiClient(address, recorder.fetch);
      await client.signIn(role, password);
      const second = canaries.plant(`${role}: second password`);
      await client.call('changePassword', {
        params: { user_id: id },
        body: { password: second, current_password: password },
      });
      await client.signIn(role, second);
      await expect(client.signIn(role, password)).rejects.toThrow('401');
      const third = { password: canaries.plant(`${role}: third`), current_password: product.adminPassword };
      await admin.call('updateUser', { params: { user_id: id }, body: third });
      return { id, client };
    };
    const users = { manager: await user('manager'), guest: await user('guest') };
    await plantSecondFactor(admin, canaries, recorder);
    // This call is not recorded, because its answer contains a new token.
    const quiet = await product.client();
    const { token, prefix } = await quiet.call('createToken', { body: { name: 'Live' } });
    canaries.watch('API token', token.slice(prefix.length));

    await recorder.listen(address, token);
    const following = await recorder.listen(address, token);
    const started: number[] = [];
    const run = async (template_id: number, debug = false, values: object = {}): Promise<number> => {
      const environment = answersOf(template_id);
      const { id } = await admin.call('createTask', { params, body: { template_id, debug, environment, ...values } });
      started.push(id);
      following.follow(started.slice(-FOLLOWED));
      return id;
    };
    const status = async (task_id: number) => (await quiet.call('getTask', { params: { ...params, task_id } })).status;
    const log = async (task_id: number) => String(await quiet.call('getTaskText', { params: { ...params, task_id } }));
    const printed = {
      print: await run(templates.print, true),
      fail: await run(templates.fail),
      break: await run(templates.break, true),
      stop: await run(templates.stop),
    };
    const others = {
      ssh: await run(templates.ssh),
      url: await run(templates.url),
      gitPassword: await run(templates.gitPassword),
      gitSsh: await run(templates.gitSsh),
    };
    const manyRuns = await Promise.all(
      Array.from({ length: MANY_RUNS }, async (_, n) => {
        const kind = (['print', 'fail', 'break'] as const)[n % 3] ?? 'print';
        const values = { dry_run: n % 4 === 0, diff: n % 5 === 0, limit: n % 2 === 0 ? 'all' : 'localhost' };
        const id = await run(templates[kind], n % 2 === 0, { ...values, message: `One of many, ${n}` });
        writeFileSync(`${gate}-${id}`, '');
        return id;
      }),
    );
    const statuses = await sendMalformed(recorder, canaries, {
      address,
      cookie: admin.cookie,
      project: params.project_id,
    });
    expect(statuses.filter((code) => code < 400 || code >= 500)).toEqual([]);

    for (const [name, id] of Object.entries(printed))
      await until(
        `${name} at the gate`,
        async () => (await log(id)).includes('[Wait at the gate]') || undefined,
        300_000,
      );
    processes.scan();
    const shown = (text: string) =>
      text.split('\n').flatMap((line) => canaries.find(line).map((found) => `${found}: ${line}`));
    for (const [name, id] of Object.entries({ ...printed, ...others }))
      expect.soft(shown(await log(id)), name).toEqual([]);
    const during = canariesInFiles(canaries, product.folder);
    expect(during.filter((found) => found.includes(' in runner/places/'))).not.toEqual([]);
    expect(during.filter((found) => !/ in runner\/(runs|places)\/| in signalbox\.db/.test(found))).toEqual([]);
    expect(readableByOthers(product.folder, during)).toEqual([]);
    for (const id of manyRuns) {
      await until(
        `the end of task ${id}`,
        async () => ['success', 'error'].includes(await status(id)) || undefined,
        300_000,
      );
      expect.soft(shown(await log(id)), `task ${id}`).toEqual([]);
    }

    for (const name of ['print', 'fail', 'break'] as const) writeFileSync(`${gate}-${printed[name]}`, '');
    await admin.call('stopTask', { params: { ...params, task_id: printed.stop }, body: {} });
    const expected = { print: 'success', fail: 'error', break: 'error', stop: 'stopped', ssh: 'success' } as const;
    for (const [name, id] of Object.entries({ ...printed, ...others })) {
      await until(
        `the end of ${name}`,
        async () => ['success', 'error', 'stopped'].includes(await status(id)) || undefined,
        300_000,
      );
      expect(await status(id), `${name}:\n${await log(id)}`).toBe(expected[name as keyof typeof expected] ?? 'error');
    }
    // The secrets were really available to the playbook that printed them.
    const text = await log(printed.print);
    expect(text).toContain('opened with the password');
    expect(text.split('****').length).toBeGreaterThan(20);
    for (const id of [others.url, others.gitPassword, others.gitSsh])
      expect(await log(id)).toContain('cannot be reached');

    for (const kind of ['runs', 'places'])
      await until(`the ${kind} being gone`, () =>
        readdirSync(join(product.folder, 'runner', kind)).length === 0 ? true : undefined,
      );
    const { failures } = await admin.call('listFailures', { params });
    expect(failures).not.toEqual([]);
    for (const auth of ['admin', 'manager', 'guest'] as const) {
      const client = auth === 'admin' ? admin : new ApiClient(address, recorder.fetch);
      if (auth !== 'admin') {
        const password = canaries.plant(`${auth}: last password`);
        const body = { password, current_password: product.adminPassword };
        await admin.call('changePassword', { params: { user_id: users[auth].id }, body });
        await client.signIn(auth, password);
      }
      const all = { ...ids, project_id: [params.project_id], task_id: started, user_id: [1, users.manager.id] };
      const calls = await crawl(recorder, address, client.cookie, {
        ...all,
        runner_id: [1],
        host_number: [1],
        host_id: [1],
        failure_id: failures.map(({ id }) => id),
        fingerprint: failures.map(({ fingerprint }) => fingerprint),
      });
      expect(calls).toBeGreaterThan(100);
    }

    const answered = recorder.answers.flatMap(({ call, text: answer }) =>
      canaries.find(answer).map((found) => ({ call, found })),
    );
    expect(answered.filter(({ call, found }) => !MAY_ANSWER(call, found))).toEqual([]);
    expect(answered).not.toEqual([]);
    expect(recorder.answers.filter(({ status: code }) => code >= 500 && code !== 503)).toEqual([]);
    expect(recorder.messages.flatMap((message) => canaries.find(message))).toEqual([]);
    for (const type of ['update', 'log', 'lines', 'results'])
      expect(
        recorder.messages.some((message) => message.includes(`"type":"${type}"`)),
        type,
      ).toBe(true);

    expect(product.printed.flatMap((line) => canaries.find(line).map((found) => `${found}: ${line}`))).toEqual([]);
    expect(product.printed.join('\n')).toContain('incoming request');
    expect(canaries.find(readFileSync(join(product.folder, 'runner', 'runner.log')))).toEqual([]);

    for (const program of ['server', 'runner', 'ansible-playbook', 'git', 'remote-https', 'ssh', 'ssh-agent'])
      expect(processes.programs, 'programs that were seen').toContain(program);
    expect([...processes.inArguments].filter((found) => !isLogin(found))).toEqual([]);
    expect([...processes.inEnvironment].filter((found) => !isLogin(found.split(' in ')[0] ?? '')).toSorted()).toEqual([
      'admin password in the server',
      'environment in a run',
    ]);

    const left = canariesInFiles(canaries, product.folder);
    expect(left.filter((found) => !STATE.test(found.split(' in ')[1] ?? '') || !found.startsWith('URL: '))).toEqual([]);
    temporary.scan();
    expect([...temporary.found]).toEqual([]);
    expect([...temporary.files].filter((path) => /ansible/.test(path))).not.toEqual([]);
  } finally {
    recorder.close();
    processes.close();
    temporary.close();
    hangUp.server.close();
    await product.dispose();
    rmSync(home, { recursive: true, force: true });
    rmSync(join(gate, '..'), { recursive: true, force: true });
  }
});
