import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../process/program.ts';
import { TEST_PATH } from './runner-harness.testing.ts';

const ENV = { PATH: `${TEST_PATH}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' };

const run = async (file: string, args: readonly string[], input?: string): Promise<string> => {
  const end = await runProgram(file, args, { env: ENV, timeoutMs: 30_000, ...(input === undefined ? {} : { input }) });
  if (end.code !== 0) throw new Error(`${file} ${args.join(' ')}: ${end.stderr || end.error}`);
  return end.stdout;
};

/** A port that is free on every address of this machine right now. */
const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '0.0.0.0');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
};

export interface KeyPair {
  private_key: string;
  passphrase: string;
  public_key: string;
}

/** Creates a key pair; an empty passphrase means none. PEM is the key format of older programs. */
export const makeKey = async (
  type: 'ed25519' | 'rsa',
  passphrase = '',
  format: 'RFC4716' | 'PEM' = 'RFC4716',
): Promise<KeyPair> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-key-'));
  try {
    const file = join(folder, 'key');
    await run('ssh-keygen', [
      '-q',
      '-t',
      type,
      ...(type === 'rsa' ? ['-b', '2048'] : []),
      '-m',
      format,
      '-N',
      passphrase,
      '-f',
      file,
    ]);
    return { private_key: readFileSync(file, 'utf8'), passphrase, public_key: readFileSync(`${file}.pub`, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A user of this machine with a password, during a test. */
export interface ThrowawayUser {
  name: string;
  password: string;
  remove(): Promise<void>;
}

/** Creates a user. Fails with one message if that is not allowed. */
export const makeUser = async (name: string, password: string): Promise<ThrowawayUser> => {
  if (process.getuid?.() !== 0) {
    throw new Error(`This test makes the user ${name} for logins with a password: run the tests as root.`);
  }
  const remove = async () => {
    await runProgram('userdel', ['--remove', '--force', name], { env: ENV, timeoutMs: 30_000 });
  };
  await remove();
  await run('useradd', ['--create-home', '--shell', '/bin/sh', '--', name]);
  await run('chpasswd', [], `${name}:${password}\n`);
  return { name, password, remove };
};

export interface SshHost {
  name: string;
  address: string;
  port: number;
  /** The output of its sshd. */
  log: () => string;
  /** Replaces the host key, like a reinstalled machine. */
  renewHostKey(): Promise<void>;
  /** The correct lines of known_hosts. */
  knownHostsLine: () => string;
  stop(): Promise<void>;
}

export interface SshdOptions {
  name: string;
  address: string;
  authorized: readonly string[];
  /** More lines of its configuration. */
  config?: readonly string[];
}

const configOf = (folder: string, port: number, { address, config = [] }: SshdOptions) =>
  [
    ...config,
    `ListenAddress ${address}`,
    `Port ${port}`,
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/authorized-keys`,
    `PidFile none`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'KbdInteractiveAuthentication no',
    'MaxStartups 100',
    'LogLevel VERBOSE',
    'Subsystem sftp internal-sftp',
    '',
  ].join('\n');

const startSshd = async (configFile: string, onOutput: (text: string) => void) => {
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', configFile], {
    env: ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      onOutput(chunk.toString());
      if (text.includes('Server listening on')) resolve();
    });
    void gone.then(() => reject(new Error(`sshd did not start (is the package openssh-server installed?): ${text}`)));
  });
  return async () => {
    child.kill('SIGTERM');
    await gone;
  };
};

/** Starts a real sshd on an address of this machine, as the user of the tests. */
export const startSshHost = async (options: SshdOptions): Promise<SshHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sshd-'));
  // A user of the host reads the keys that may log in.
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  let log = '';
  const newHostKey = async () => {
    rmSync(join(folder, 'host-key'), { force: true });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'host-key')]);
  };
  await newHostKey();
  writeFileSync(join(folder, 'authorized-keys'), options.authorized.join(''), { mode: 0o644 });
  writeFileSync(join(folder, 'config'), configOf(folder, port, options));
  const start = () =>
    startSshd(join(folder, 'config'), (text) => {
      log += text;
    });
  let stop = await start();
  return {
    name: options.name,
    address: options.address,
    port,
    log: () => log,
    renewHostKey: async () => {
      await stop();
      await newHostKey();
      stop = await start();
    },
    knownHostsLine: () =>
      `[${options.address}]:${port} ${readFileSync(join(folder, 'host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ')}\n`,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Three hosts on addresses of their own. */
export const startSshHosts = (authorized: readonly string[]): Promise<SshHost[]> =>
  Promise.all([2, 3, 4].map((last) => startSshHost({ name: `host${last}`, address: `127.0.0.${last}`, authorized })));

/** One line of an inventory. */
export const inventoryLine = (host: SshHost, more = ''): string =>
  `${host.name} ansible_host=${host.address} ansible_port=${host.port} ansible_python_interpreter=/usr/bin/python3 ${more}\n`;
