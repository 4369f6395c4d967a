import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../product/playbook-project.ts';
import { Product } from '../product/product.ts';
import { runMain } from '../steps.mjs';
import { PythonTools } from './python.ts';

const PACKAGES = ['semaphore-api==2.9.37b2', 'semacli==0.5.31'];
const PLAYBOOK = `- name: Types
  hosts: all
  gather_facts: false
  tasks:
    - name: Print
      ansible.builtin.debug:
        msg: "count is a {{ count | type_debug }}"
`;

/** Runs clients of Semaphore UI against a new server, which ends with this command. */
await runMain(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-peer-'));
  let product: Product | undefined;
  try {
    const tools = new PythonTools(folder, PACKAGES);
    product = await Product.start();
    const client = await product.client();
    await product.runnerReady(client);
    const { token } = await client.call('createToken', { body: { name: 'Clients of Semaphore UI' } });
    const env = {
      SIGNALBOX_ADDRESS: product.address,
      SIGNALBOX_TOKEN: token,
      SIGNALBOX_COOKIE: client.cookie,
      SIGNALBOX_REPOSITORY: makeRepository({ 'types.yml': PLAYBOOK }),
    };
    for (const script of ['generated_client.py', 'command_line_client.py'])
      tools.run('python', [join(import.meta.dirname, script)], env);
  } finally {
    await product?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
