import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../node24.mjs';
import { step } from '../steps.mjs';
import { run } from './run.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

const UNITS = ['signalbox.service', 'signalbox-runner-separated.service', 'signalbox-runner.service'];

const SCRIPTS = ['postinst', 'prerm', 'postrm'];

const SETTINGS = '/etc/signalbox/server.env';

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, 'deploy', path), 'utf8');

const write = (/** @type {string} */ path, /** @type {string} */ text, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
};

/**
 * Makes a Debian package in a folder, if the program for that is installed.
 *
 * @param {import('./stage.mjs').Staged} staged
 * @param {string} work folder that does not exist
 * @param {string} target
 */
export const makeDebianPackage = ({ folder, version }, work, target) =>
  step('Make the Debian package', async (report) => {
    const architecture = ARCHITECTURES[/** @type {keyof typeof ARCHITECTURES} */ (process.arch)];
    const hasProgram = await run('dpkg-deb', ['--version']).then(
      () => true,
      () => false,
    );
    if (architecture === undefined || !hasProgram) return report('left out: there is no dpkg-deb here');
    const size = Number((await run('du', ['--summarize', '--block-size=1024', folder])).split('\t')[0]);
    cpSync(folder, join(work, 'opt', 'signalbox'), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(work, 'usr', 'bin'), { recursive: true });
    symlinkSync('/opt/signalbox/bin/signalbox', join(work, 'usr', 'bin', 'signalbox'));
    for (const unit of UNITS) {
      // The units of the repository start the product with the Node of the machine.
      const text = read(unit).replaceAll('/opt/signalbox/bin/signalbox.mjs', '/usr/bin/signalbox');
      write(join(work, 'usr', 'lib', 'systemd', 'system', unit), text);
    }
    write(join(work, SETTINGS), read('debian/server.env'), 0o600);
    write(join(work, 'DEBIAN', 'conffiles'), `${SETTINGS}\n`);
    const control = read('debian/control')
      .replace('@version@', version)
      .replace('@architecture@', architecture)
      .replace('@size@', String(size));
    write(join(work, 'DEBIAN', 'control'), control);
    for (const name of SCRIPTS) write(join(work, 'DEBIAN', name), read(`debian/${name}`), 0o755);
    const file = join(target, `signalbox_${version}_${architecture}.deb`);
    await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', work, file]);
  });
