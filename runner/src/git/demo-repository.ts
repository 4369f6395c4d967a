import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, git, tryGit } from './git.ts';

/** Who made the demo's commits and when: the same everywhere, so that each machine's commits have the same hashes. */
const SIGNATURE = {
  GIT_AUTHOR_NAME: 'Signalbox',
  GIT_AUTHOR_EMAIL: 'demo@signalbox.invalid',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Signalbox',
  GIT_COMMITTER_EMAIL: 'demo@signalbox.invalid',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

const DEMO_BRANCH = 'main';

/** What in the product's folder belongs to the product and not to the demo. */
const NOT_PART = [
  ':(exclude,top)package.json',
  ':(exclude,top)demo-project.json',
  ':(exclude,glob)**/node_modules/**',
  ':(exclude,glob)**/*.test.ts',
];

/** Makes the repository from the files, or adds a commit when they have changed. */
const makeDemoRepository = async (content: string, repository: string, options: GitOptions): Promise<void> => {
  const failing = 'The demo repository cannot be made';
  if (!existsSync(repository)) {
    const draft = `${repository}.new`;
    await rm(draft, { recursive: true, force: true });
    // Others may enter the folder above where tasks run as another user.
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await git(
      ['init', '--bare', '--quiet', '--template=', `--initial-branch=${DEMO_BRANCH}`, '--', draft],
      failing,
      options,
    );
    await rename(draft, repository);
  }
  const index = join(repository, 'content.index');
  await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  const env = { ...options.env, ...SIGNATURE, GIT_DIR: repository, GIT_WORK_TREE: content, GIT_INDEX_FILE: index };
  const inContent = { ...options, env };
  await git(
    ['-C', content, '-c', 'core.autocrlf=false', 'add', '--all', '--force', '--', '.', ...NOT_PART],
    failing,
    inContent,
  );
  const tree = (await git(['write-tree'], failing, inContent)).trim();
  const head = `refs/heads/${DEMO_BRANCH}`;
  const newest = await tryGit(['rev-parse', '--verify', '--quiet', head], inContent);
  const parent = newest.code === 0 ? newest.stdout.trim() : undefined;
  if (parent !== undefined) {
    const current = await git(['rev-parse', '--verify', `${parent}^{tree}`], failing, inContent);
    if (current.trim() === tree) return;
  }
  const message = parent === undefined ? 'Add the demo playbooks' : 'Update the demo playbooks';
  const parents = parent === undefined ? [] : ['-p', parent];
  const commit = (await git(['commit-tree', ...parents, '-m', message, tree], failing, inContent)).trim();
  await git(['update-ref', head, commit], failing, inContent);
};

/**
 * The demo project's repository, made from the product's own files when it is first asked for. They change only with the
 * product, so one look for each process of the runner is enough; those who ask meanwhile wait for it.
 */
export class DemoRepository {
  readonly #content: string;
  readonly #repository: string;
  #made: Promise<void> | undefined;

  constructor(content: string, repository: string) {
    this.#content = content;
    this.#repository = repository;
  }

  /** The path of the bare repository. */
  async path(options: GitOptions): Promise<string> {
    // One that failed, because its run was stopped meanwhile, is no answer for the next.
    const make = () => makeDemoRepository(this.#content, this.#repository, options);
    this.#made = this.#made?.catch(make) ?? make();
    await this.#made;
    return this.#repository;
  }
}
