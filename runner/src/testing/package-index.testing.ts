import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The login that the index wants. */
export const INDEX_PASSWORD = 'index-password';

const PACK = [
  'import json, sys, zipfile',
  'path, files = sys.argv[1], json.load(sys.stdin)',
  'with zipfile.ZipFile(path, "w") as archive:',
  '    for name, text in files.items(): archive.writestr(name, text)',
].join('\n');

/** Writes a package without dependencies whose module prints its version when one of its programs is started. */
const writeWheel = (folder: string, name: string, version: string, programs: readonly string[]): void => {
  const module = name.replaceAll('-', '_');
  const info = `${module}-${version}.dist-info`;
  const files = {
    [`${module}.py`]: `import os\n\n\ndef main():\n    print("${name} ${version} in", os.environ.get("VIRTUAL_ENV"))\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/entry_points.txt`]: `[console_scripts]\n${programs.map((one) => `${one} = ${module}:main\n`).join('')}`,
    [`${info}/RECORD`]: '',
  };
  const path = join(folder, `${module}-${version}-py3-none-any.whl`);
  execFileSync('/usr/bin/python3', ['-I', '-c', PACK, path], { input: JSON.stringify(files) });
};

/** An index of small packages on this machine, in place of PyPI. */
export class PackageIndex {
  readonly #folder: string;
  readonly #server: Server;
  /** Requested paths. */
  readonly requests: string[] = [];
  /** While true, the index answers nothing. */
  isSilent = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      if (this.isSilent) return;
      const login = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
      if (login !== `reader:${INDEX_PASSWORD}`) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="packages"' }).end();
        return;
      }
      const [, kind = '', name = ''] = (request.url ?? '').split('/');
      const files = readdirSync(this.#folder).filter((file) => file.startsWith(`${name.replaceAll('-', '_')}-`));
      if (kind === 'files') response.end(readFileSync(join(this.#folder, name)));
      else if (files.length === 0) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(files.map((file) => `<a href="/files/${file}">${file}</a>`).join('\n'));
    });
  }

  /** Starts an index with two versions of a package that has the name and the programs of Ansible, and one without. */
  static async start(folder: string): Promise<PackageIndex> {
    mkdirSync(folder, { recursive: true });
    for (const version of ['1.0', '2.0'])
      writeWheel(folder, 'ansible-core', version, ['ansible-playbook', 'ansible-galaxy']);
    writeWheel(folder, 'other', '1.0', ['other']);
    const index = new PackageIndex(folder);
    await new Promise<void>((resolve) => index.#server.listen(0, '127.0.0.1', resolve));
    return index;
  }

  /** Its address with the login. */
  get url(): string {
    return `http://reader:${INDEX_PASSWORD}@127.0.0.1:${(this.#server.address() as AddressInfo).port}/simple`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
