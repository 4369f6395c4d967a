import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PeerClient } from './peer/peer-client.ts';
import { PEER_MEASURES } from './peer/peer-measures.ts';
import { createProject } from './peer/peer-project.ts';

const USAGE = `usage: npm run bench:peer -- --address URL --login NAME --password-file FILE [--repository-prefix file://] [--only start,whole]

Measures a server on this machine that has the API of Semaphore UI. It creates a project there, and starts tasks in it. Run it
against both servers on the same quiet machine to compare them. The server must be allowed to clone repositories below the
folder for temporary files, and have a runner with ansible-playbook.
`;

const { values } = parseArgs({
  options: {
    address: { type: 'string' },
    login: { type: 'string', default: 'admin' },
    'password-file': { type: 'string' },
    'repository-prefix': { type: 'string', default: '' },
    only: { type: 'string', default: Object.keys(PEER_MEASURES).join(',') },
  },
});
const { address, login, 'password-file': file, 'repository-prefix': prefix } = values;
const names = values.only.split(',');
const isKnown = (name: string): name is keyof typeof PEER_MEASURES => name in PEER_MEASURES;
if (address === undefined || file === undefined || !names.every(isKnown)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const password = readFileSync(file, 'utf8').trimEnd();
const client = await PeerClient.signIn({ address: address.replace(/\/$/, ''), login, password });
const project = await createProject(client, prefix);
try {
  process.stdout.write('| Measure | Result |\n| --- | --- |\n');
  for (const name of names.filter(isKnown))
    for (const [what, result] of await PEER_MEASURES[name]({ client, project }))
      process.stdout.write(`| ${what} | ${result} |\n`);
} finally {
  client.close();
  project.remove();
}
