import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../process/find-program.ts';
import { type ProgramEnd, runProgram } from '../../process/program.ts';
import { callEngine, type Engine } from './engine.ts';
import { engineDetail } from './image.ts';
import { userOf } from './ready-container.ts';
import { type Mount, RUNNER_LABEL, runArguments } from './run-arguments.ts';

const CALL_MS = 60_000;

/** An image without files, to which the programs of this machine are mounted. */
const IMAGE = 'localhost/signalbox-check:1';

/** The folders with programs and libraries. On most machines all but the first are links. */
const FOLDERS = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** What a folder of this machine is. */
const kindOf = (name: string): 'folder' | 'link' | 'missing' => {
  const status = lstatSync(`/${name}`, { throwIfNoEntry: false });
  return status?.isSymbolicLink() ? 'link' : status?.isDirectory() ? 'folder' : 'missing';
};

/** Why a program failed; undefined if it did not. */
const failureOf = ({ code, error, stderr }: ProgramEnd): string | undefined =>
  code === 0 ? undefined : engineDetail(stderr) || `exit code ${code ?? error}`;

/** @returns why the image cannot be made; undefined if it was */
const importImage = async (engine: Engine): Promise<string | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-engine-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    for (const name of FOLDERS) {
      if (kindOf(name) === 'link') symlinkSync(readlinkSync(`/${name}`), join(root, name));
      else if (kindOf(name) === 'folder') mkdirSync(join(root, name));
    }
    const archive = join(folder, 'root.tar');
    const packed = await runProgram('tar', ['-cf', archive, '-C', root, '.'], { env: engine.env, timeoutMs: CALL_MS });
    return failureOf(packed) ?? failureOf(await callEngine(engine, ['import', archive, IMAGE], { timeoutMs: CALL_MS }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Starts a container with the settings of runs and without network, in which nothing but `true` runs.
 * @param label the value of the label of all containers of this runner
 * @returns why the engine cannot start it; undefined if it can
 */
export const checkEngine = async (engine: Engine, label: string): Promise<string | undefined> => {
  const found = await callEngine(engine, ['image', 'inspect', IMAGE], { timeoutMs: CALL_MS });
  if (found.code !== 0) {
    const failure = await importImage(engine);
    if (failure !== undefined) return failure;
  }
  const mounts: Mount[] = FOLDERS.filter((name) => kindOf(name) === 'folder').map((name) => ({ path: `/${name}` }));
  const args = runArguments(engine, {
    // A container of an earlier check that was killed may still have its name.
    name: `signalbox-check-${label}-${randomBytes(4).toString('hex')}`,
    labels: { [RUNNER_LABEL]: label },
    image: IMAGE,
    user: userOf(undefined),
    mounts,
    workingFolder: '/',
    network: 'none',
    limits: { memory_mb: null, cpus: null, pids: null },
    entry: [findProgram('true', engine.env.PATH ?? '') ?? '/bin/true'],
  });
  return failureOf(await callEngine(engine, args, { timeoutMs: CALL_MS }));
};
