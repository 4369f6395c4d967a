import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { PreparationError } from '../../errors/preparation-error.ts';
import { writeDurably } from '../../files/durable-file.ts';
import { callEngine, type Engine } from './engine.ts';
import { engineFailed } from './image.ts';
import { type ContainerCall, PROBE_FILE, runArguments } from './run-arguments.ts';

const PROBE_MS = 2 * 60_000;

/** The exit codes of an engine for a program that cannot be started, and for an error of its own. */
const NO_PROGRAM = [126, 127];

/** The programs that a run may need. */
const PROGRAMS = ['ansible-playbook', 'ansible-galaxy', 'ansible-inventory', 'ansible-vault', 'ssh', 'sshpass', 'git'];

/** Changes with what is asked of images, so that older answers are no longer used. */
const GENERATION = createHash('sha256')
  .update(JSON.stringify(PROGRAMS))
  .update(readFileSync(PROBE_FILE))
  .digest('hex')
  .slice(0, 8);

/** Maximum bytes that an image answers, and characters of its users or groups. */
const MAX_ANSWER = 4 * 1024 * 1024;
const MAX_ACCOUNTS = 256 * 1024;
const MAX_NAME = 200;

/** The file for what an image contains, in the folder of all images. */
export const contentFile = (images: string, id: string): string =>
  join(images, `${id.replace(/[^\w]/g, '-')}-${GENERATION}.json`);

/** What an image contains. */
export const ImageContent = z.object({
  /** Version of the Python of the image. */
  python: z.string().max(MAX_NAME),
  /** Version of ansible-core; empty without it. */
  ansible: z.string().max(MAX_NAME),
  /** The programs on the search path of the image, of those that runs may need. */
  programs: z.array(z.string().max(MAX_NAME)).max(PROGRAMS.length),
  passwd: z.string().max(MAX_ACCOUNTS),
  group: z.string().max(MAX_ACCOUNTS),
});
export type ImageContent = z.infer<typeof ImageContent>;

const parse = (text: string): ImageContent | undefined => {
  try {
    return ImageContent.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/**
 * Finds out what an image contains, in a container of its own. An image never changes, so the answer is kept in `file`.
 * @throws PreparationError if the engine cannot start containers, or the image has no Python
 */
export const contentOf = async (
  engine: Engine,
  image: string,
  call: Pick<ContainerCall, 'name' | 'labels' | 'user'> & { id: string },
  { file, signal, marker }: { file: string; signal: AbortSignal; marker: string },
): Promise<ImageContent> => {
  const kept = parse(await readFile(file, 'utf8').catch(() => ''));
  if (kept) {
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return kept;
  }
  const args = runArguments(engine, {
    ...call,
    image: call.id,
    mounts: [{ path: PROBE_FILE }],
    workingFolder: '/',
    network: 'none',
    limits: { memory_mb: null, cpus: null, pids: null },
    entry: ['python3', '-I', PROBE_FILE, ...PROGRAMS],
  });
  const end = await callEngine(engine, args, { timeoutMs: PROBE_MS, signal, marker, maxOutput: MAX_ANSWER });
  signal.throwIfAborted();
  if (end.code !== null && NO_PROGRAM.includes(end.code)) {
    throw new PreparationError('preparation', `The container image ${image} contains no python3.`, {
      code: 'container.program_missing',
      params: { image, program: 'python3' },
    });
  }
  const found = end.code === 0 ? parse(end.stdout) : undefined;
  if (found === undefined)
    throw engineFailed(engine, end.stderr.trim() || 'the python3 of the image gave no valid answer');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeDurably(file, JSON.stringify(found));
  return found;
};
