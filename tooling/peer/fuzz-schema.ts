import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlaybookProject } from '../product/playbook-project.ts';
import { Product } from '../product/product.ts';
import { runMain } from '../steps.mjs';
import { PythonTools } from './python.ts';

const PACKAGES = ['schemathesis==4.32.5'];
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'accepts_what_it_describes',
];
/** Calls that are skipped: they end the session or delete what other calls need; schemathesis can't read the answer of the last. */
const WITHOUT = [
  'signOut',
  'signIn',
  'enterSecondFactor',
  'changePassword',
  '.*SecondFactor',
  'deleteProject',
  'leaveProject',
  'getTaskLines',
];
const PLAYBOOK = '- name: Nothing\n  hosts: all\n  gather_facts: false\n  tasks: []\n';

const [examples = '20', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);

/** Creates one object of each kind, whose ids the requests use. */
const idsOf = async (client: Awaited<ReturnType<Product['client']>>): Promise<Record<string, number>> => {
  const project = await PlaybookProject.create(client, 'Fuzz', { 'site.yml': PLAYBOOK });
  const { params } = project;
  const template_id = await project.template('site.yml');
  const { id: view_id } = await client.call('createView', { params, body: { title: 'All' } });
  const body = { template_id, cron_format: '@daily', active: false };
  const { id: schedule_id } = await client.call('createSchedule', { params, body });
  const task = await project.run(template_id);
  const [key] = await client.call('listKeys', { params });
  const { inventory_id, environment_id, repository_id } = await client.call('getTemplate', {
    params: { ...params, template_id },
  });
  const keyId = key?.id ?? 0;
  const resources = {
    inventory_id: inventory_id ?? 0,
    environment_id,
    repository_id,
    key_id: keyId,
    ssh_key_id: keyId,
  };
  return { ...params, ...resources, template_id, view_id, schedule_id, task_id: task.id };
};

/** Sends requests that the OpenAPI file allows to a new server. Fails when one is refused or an answer does not match the file. */
await runMain(async () => {
  process.stdout.write(`${examples} requests for each call from seed ${seed}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-schema-'));
  let product: Product | undefined;
  try {
    const tools = new PythonTools(folder, PACKAGES);
    product = await Product.start({ SIGNALBOX_HTTP_REPOSITORIES: '1' });
    const client = await product.client();
    await product.runnerReady(client);
    const ids = await idsOf(client);
    const api = `${product.address}/api`;
    const bounds = ['-n', examples, '--seed', seed, '--no-shrink'];
    const kind = ['-m', 'positive', '--phases', 'fuzzing', '--generation-allow-x00', 'false'];
    const quiet = ['--generation-database', 'none', '--continue-on-failure', '--no-color'];
    const without = ['--exclude-operation-id-regex', `^(${WITHOUT.join('|')})$`];
    const where = [`${api}/openapi.json`, '-u', api, '-H', `Cookie: ${client.cookie}`];
    tools.run('schemathesis', ['run', ...where, ...kind, ...bounds, ...quiet, ...without, '-c', CHECKS.join()], {
      SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schema_checks.py'),
      SIGNALBOX_IDS: JSON.stringify(ids),
    });
  } finally {
    await product?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
