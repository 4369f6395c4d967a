import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import { generateSync } from 'otplib/functional';
import { ApiClient } from '../tooling/product/api-client.ts';
import { runInShell, signalbox } from '../tooling/product/command.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';

const FILES = {
  'hello.yml': `- name: Hello
  hosts: all
  gather_facts: false
  tasks:
    - name: Greet
      ansible.builtin.debug:
        msg: "hello {{ who }} for the {{ count }}th time, a {{ count | type_debug }}, in {{ regions | join(' and ') }} with {{ pin }}"
`,
  'fail.yml':
    '- name: Fail\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Give up\n      ansible.builtin.fail:\n',
  'wait.yml':
    '- name: Wait\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Sleep\n      ansible.builtin.command: sleep 600\n',
};

test('each command of the help dialog works when it is copied into a terminal', async ({ page }) => {
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  try {
    await page.goto(product.address);
    await page.getByRole('button', { name: "Can't sign in?" }).click();
    const shown = page.getByRole('dialog').locator('code');
    await expect(shown).toHaveCount(4);
    const commands = await shown.allInnerTexts();
    const john = async (): Promise<ApiClient> => {
      const client = new ApiClient(product.address);
      await client.signIn('john', 'choose-your-own');
      return client;
    };
    // The `add` commands run first, because the other commands change what they create.
    const turn = (line: string): number => Number(!line.includes(' add '));
    for (const line of commands.toSorted((one, other) => turn(one) - turn(other))) {
      if (line.includes('second-factor')) {
        const client = await john();
        const { secret } = await client.call('beginSecondFactor', { body: { current_password: 'choose-your-own' } });
        await client.call('confirmSecondFactor', { body: { code: generateSync({ secret }) } });
      }
      const { status, stderr } = runInShell(line);
      expect({ status, stderr }, line).toEqual({ status: 0, stderr: '' });
    }
    expect(await (await john()).call('currentUser')).toMatchObject({ name: 'John', admin: true, second_factor: 'off' });
  } finally {
    await product.dispose();
  }
});

test('signalbox run starts a task, shows its log, and exits with the result of the task', async () => {
  const product = await Product.start();
  try {
    const client = await product.client();
    await product.runnerReady(client);
    const project = await PlaybookProject.create(client, 'Shop / west', FILES);
    const survey_vars = [
      { name: 'who', title: 'Who', type: '' as const, required: true },
      { name: 'count', title: 'Count', type: 'int' as const, required: true },
      {
        name: 'regions',
        type: 'multiple' as const,
        values: [{ value: 'north' }, { value: 'south' }, { value: 'west' }],
      },
      { name: 'pin', type: 'secret' as const },
    ];
    const hello = await project.template('hello.yml', { name: 'Hello', survey_vars });
    await project.template('fail.yml', { name: 'Fail' });
    await project.template('wait.yml', { name: 'Wait' });
    const { token } = await client.call('createToken', { body: { name: 'for the command line' } });
    const settings = { SIGNALBOX_SERVER: product.address, SIGNALBOX_TOKEN: token };
    const run = (target: string, ...args: string[]) => signalbox(['run', target, ...args], settings);

    await test.step('success, with answers and a message', async () => {
      const pin = join(product.folder, 'pin');
      writeFileSync(pin, '482915\n');
      const answers = [
        '--var',
        'who=world',
        '--var',
        'count=3',
        '--var',
        'regions=west,north',
        '--var-file',
        `pin=${pin}`,
      ];
      const args = [...answers, '--message', 'from a script', '--limit', 'localhost'];
      const { code, out, err } = await run('Shop / west/Hello', ...args).ended;
      expect({ code, err }).toEqual({ code: 0, err: 'Task #1 of Hello\nTask #1: success\n' });
      expect(out).toContain('hello world for the 3th time, a int, in north and west with ****');
      expect(out).not.toContain('\u001b');
      const printed = out.split('\n').slice(0, -1);
      expect(printed.map((line) => line.replace(/^\[signalbox\] /, ''))).toEqual(
        (await project.log(1)).map(stripVTControlCharacters),
      );
      expect(await project.task(1)).toMatchObject({ message: 'from a script', limit: 'localhost' });
    });

    await test.step('a saved launch, whose values options replace', async () => {
      const launch_values = { environment: '{"who":"moon","count":5}', limit: 'localhost', message: 'saved' };
      const params = { ...project.params, template_id: hello };
      await client.call('createSavedLaunch', { params, body: { name: 'Nightly', launch_values } });
      const started = await run('Shop / west/Hello', '--launch', 'Nightly', '--var', 'count=6', '--detach').ended;
      expect(started).toMatchObject({ code: 0, err: '' });
      expect(await project.task(Number(started.out))).toMatchObject({
        ...{ message: 'saved', limit: 'localhost', environment: '{"who":"moon","count":6}' },
      });
      await project.ended(Number(started.out));
    });

    await test.step('error', async () => {
      const { code, err } = await run(`${project.params.project_id}/Fail`).ended;
      const why = '1 of 1 host failed (localhost, “Give up”: Failed as requested from task)';
      expect({ code, err }).toEqual({ code: 1, err: `Task #3 of Fail\nTask #3: error. ${why}\n` });
    });

    await test.step('Ctrl-C stops the task, also when a parent process forwards the signal', async () => {
      const waiting = run('Shop / west/Wait', '--json');
      await waiting.printed('Task #4 of Wait');
      waiting.child.kill('SIGINT');
      await waiting.printed('Stopping task #4');
      waiting.child.kill('SIGINT');
      const { code, out } = await waiting.ended;
      expect(code).toBe(2);
      expect(JSON.parse(out)).toMatchObject({ id: 4, status: 'stopped', end_reason: { code: 'stop.user' } });
    });

    await test.step('a server that is away for a moment', async () => {
      const patient = run('Shop / west/Wait');
      await patient.printed('Sleep');
      await product.killServer();
      await patient.printed('waiting for the server');
      await product.startServer();
      patient.child.kill('SIGINT');
      expect((await patient.ended).code).toBe(2);
    });

    await test.step('what cannot be started', async () => {
      const cases: [string[], string][] = [
        [['Shop / west/Nothing'], 'There is no template Nothing, or the token gives no access to it.\n'],
        [['Nothing/Hello'], 'There is no project Nothing, or the token gives no access to it.\n'],
        [['Shop / west/Hello', '--launch', 'X'], 'There is no saved launch X, or the token gives no access to it.\n'],
        [['Hello'], 'Name the project and the template, such as Shop/Deploy.\n'],
        [['Shop / west/Hello', '--var', 'who=x'], 'Count is required.\n'],
        [['1/Fail', '--limit', '@file'], 'limit must be a host pattern.\n'],
        [['1/Fail', '--priority', 'high'], '--priority must be a whole number.\n'],
        [
          ['1/Fail', '--priority', '-3'],
          'priority must be 0 as in the template: create another template to run something else.\n',
        ],
        [
          ['1/Fail', '--runner-tag', 'dmz', '--runner-tag', 'gpu'],
          'runner_tags must be empty as in the template: create another template to run something else.\n',
        ],
      ];
      for (const [args, message] of cases)
        expect(await signalbox(['run', ...args], settings).ended, args.join(' ')).toMatchObject({
          code: 1,
          out: '',
          err: message,
        });
      const unknownUser = await signalbox(['run', '1/Fail'], { ...settings, SIGNALBOX_TOKEN: 'sbx_wrong' }).ended;
      expect(unknownUser).toMatchObject({ code: 1, err: 'The server does not accept this API token.\n' });
      await product.stopServer();
      const away = await run('1/Fail').ended;
      expect(away).toMatchObject({ code: 1, err: `${product.address} cannot be reached (ECONNREFUSED).\n` });
    });
  } finally {
    await product.dispose();
  }
});

test('[R14] a backup that is made while a task runs can be restored on another machine, where the task has ended', async () => {
  const product = await Product.start();
  const file = join(product.folder, 'all.backup');
  const passphrase = ['--passphrase', 'open it'];
  let restored: Product | undefined;
  try {
    const client = await product.client();
    await product.runnerReady(client);
    const project = await PlaybookProject.create(client, 'Backed up', FILES);
    const done = await project.run(await project.template('fail.yml'));
    await project.ended(done.id);
    const waiting = await project.run(await project.template('wait.yml'));
    await until('the playbook to sleep', async () =>
      (await project.log(waiting.id)).some((line) => /Sleep/.test(line)),
    );
    const args = ['backup', '--output', file, '--with-key', ...passphrase];
    expect(await signalbox(args, { SIGNALBOX_DATA: product.folder }).ended).toMatchObject({ code: 0, err: '' });
    const [log, running] = [await project.log(done.id), await project.task(waiting.id)];
    expect(running.status).toBe('running');

    const folder = mkdtempSync(join(tmpdir(), 'signalbox-restored-'));
    const settings = { SIGNALBOX_DATA: folder };
    expect(await signalbox(['restore', file, ...passphrase], settings).ended).toMatchObject({ code: 0, err: '' });
    restored = await Product.start({}, (own) => cpSync(folder, own, { recursive: true }));
    rmSync(folder, { recursive: true });
    const elsewhere = PlaybookProject.at(await restored.client(), project);
    expect(await elsewhere.task(done.id)).toEqual(await project.task(done.id));
    expect(await elsewhere.log(done.id)).toEqual(log);
    expect(await elsewhere.ended(waiting.id)).toMatchObject({ status: 'error' });
    const again = await elsewhere.run(await elsewhere.template('fail.yml'));
    expect(await elsewhere.ended(again.id)).toMatchObject({ status: 'error', id: waiting.id + 1 });
    expect(await project.task(waiting.id)).toMatchObject({ status: 'running' });
    await client.call('stopTask', { params: { ...project.params, task_id: waiting.id }, body: { force: true } });
    await project.ended(waiting.id);
  } finally {
    await product.dispose();
    await restored?.dispose();
  }
});
