import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, git, tryGit } from './git.ts';

/**
 * Author and date of the demo's commits: the same everywhere, so that the commits of all machines have the same hashes.
 */
const SIGNATURE = {
  GIT_AUTHOR_NAME: 'Signalbox',
  GIT_AUTHOR_EMAIL: 'demo@signalbox.invalid',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Signalbox',
  GIT_COMMITTER_EMAIL: 'demo@signalbox.invalid',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

const DEMO_BRANCH = 'main';

/** Files in the product's folder that belong to the product and not to the demo. */
const NOT_PART = [
  ':(exclude,top)package.json',
  ':(exclude,top)demo-project.json',
  ':(exclude,glob)**/node_modules/**',
  ':(exclude,glob)**/*.test.ts',
];

/** Creates the repository from the files, or adds a commit if they changed. */
const makeDemoRepository = async (content: string, repository: string, options: GitOptions): Promise<void> => {
  const failing = 'The demo repository cannot be made';
  if (!existsSync(repository)) {
    const staging = `${repository}.new`;
    await rm(staging, { recursive: true, force: true });
    // With a run user, other users may enter the parent folder.
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await git(
      ['init', '--bare', '--quiet', '--template=', `--initial-branch=${DEMO_BRANCH}`, '--', staging],
      failing,
      options,
    );
    await rename(staging, repository);
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
 * The repository of the demo project, created from the product's own files at its first use. They change only with the
 * product, so each process of the runner checks them once; concurrent calls wait for the check.
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
    // A failure, for example because its run was stopped, must not be the result for the next run.
    const make = () => makeDemoRepository(this.#content, this.#repository, options);
    this.#made = this.#made?.catch(make) ?? make();
    await this.#made;
    return this.#repository;
  }
}
