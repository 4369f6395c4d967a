import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '../process/program.ts';
import { TEST_PATH } from './runner-harness.testing.ts';

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];

/** A repository for tests, created with git itself. */
class GitRepository {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Runs git in the repository. @returns its output */
  async git(...args: string[]): Promise<string> {
    const end = await runProgram('git', ['-C', this.path, ...IDENTITY, ...args], {
      env: {
        PATH: TEST_PATH,
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_ALLOW_PROTOCOL: 'file:https:ssh:ext',
      },
      timeoutMs: 30_000,
    });
    if (end.code !== 0) throw new Error(`git ${args.join(' ')}: ${end.stderr}`);
    return end.stdout.trim();
  }

  /** Writes files and commits them. @returns the commit */
  async commit(files: Record<string, string | Uint8Array>, message = 'Change'): Promise<string> {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
    await this.git('add', '-A');
    await this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }
}

/** Creates a repository with a first commit of these files. */
export const makeRepository = async (path: string, files: Record<string, string>): Promise<GitRepository> => {
  mkdirSync(path, { recursive: true });
  const repository = new GitRepository(path);
  await repository.git('init', '-q');
  await repository.commit(files, 'First');
  return repository;
};
