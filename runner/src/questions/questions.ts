import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Question, QuestionAnswer, RepositorySource } from '@signalbox/contract/link';
import { accessRepository } from '../git/checkout.ts';
import { type GitOptions, gitEnvironment, gitFault, tryGit } from '../git/git.ts';
import { Masker } from '../output/masker.ts';
import { PreparationFault } from '../prepare/preparation-fault.ts';
import type { Workshop } from '../prepare/prepare.ts';
import { secretsOfSource } from '../prepare/secret-files.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import { RunPlace } from '../runs/run-place.ts';
import { inventoryHosts } from './inventory-hosts.ts';

const QUESTION_TIMEOUT_MS = 20_000;

/** Most branches of one answer. */
const MAX_BRANCHES = 1_000;

interface Asked {
  from: string;
  options: GitOptions;
}

const listRefs = async (asked: Asked, refs: readonly string[]): Promise<[hash: string, ref: string][]> => {
  const options = { ...asked.options, timeoutMs: QUESTION_TIMEOUT_MS };
  const end = await tryGit(['ls-remote', '--', asked.from, ...refs], options);
  if (end.code !== 0) throw gitFault('The repository cannot be reached', end, options);
  return end.stdout
    .split('\n')
    .map((row) => row.split('\t'))
    .flatMap(([hash, ref]) => (hash && ref ? [[hash, ref] as [string, string]] : []));
};

const branches = async (asked: Asked): Promise<QuestionAnswer> => {
  const heads = 'refs/heads/';
  const refs = await listRefs(asked, [`${heads}*`]);
  return { ask: 'branches', branches: refs.map(([, ref]) => ref.slice(heads.length)).slice(0, MAX_BRANCHES) };
};

const newestCommit = async (asked: Asked, branch: string): Promise<QuestionAnswer> => {
  const names = branch === '' ? ['HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}^{}`, `refs/tags/${branch}`];
  const refs = new Map((await listRefs(asked, names)).map(([hash, ref]) => [ref, hash]));
  const commit = names.map((name) => refs.get(name)).find((hash) => hash !== undefined);
  if (commit === undefined)
    throw new PreparationFault('repository', `The repository has no branch or tag named ${branch}.`);
  return { ask: 'newest_commit', commit };
};

const plainFolder = (question: { readonly ask: 'branches' | 'newest_commit' }): QuestionAnswer => {
  if (question.ask === 'branches') return { ask: 'branches', branches: [] };
  return { ask: 'refused', error: 'The local repository is a plain folder without commits.' };
};

/** Answers what the server asks about repositories and inventories. Never rejects: what goes wrong is said in one sentence. */
export class Questions {
  readonly #workshop: Workshop;
  readonly #marker: string;
  readonly #abort = new AbortController();

  constructor(workshop: Workshop, marker: string) {
    this.#workshop = workshop;
    this.#marker = marker;
  }

  async answer(question: Question): Promise<QuestionAnswer> {
    const place = new RunPlace(this.#workshop.places, `question-${randomUUID()}`);
    try {
      await place.create();
      return await this.#ask(question, place);
    } catch (fault) {
      const sentence = fault instanceof PreparationFault ? fault.message : 'The runner could not find that out.';
      const secrets = question.repository === null ? [] : secretsOfSource(question.repository);
      return { ask: 'refused', error: new Masker(secrets).mask(sentence) };
    } finally {
      await place.remove(place.path);
    }
  }

  /** Ends what is being asked. */
  close(): void {
    this.#abort.abort();
  }

  async #ask(question: Question, place: RunPlace): Promise<QuestionAnswer> {
    const env = { ...gitEnvironment(this.#workshop.base, this.#workshop.gitConfig), [RUN_MARKER]: this.#marker };
    if (question.ask === 'hosts') {
      const options = { env, signal: this.#abort.signal, timeoutMs: QUESTION_TIMEOUT_MS };
      return { ask: 'hosts', ...(await inventoryHosts(question, this.#workshop, place, options)) };
    }
    const source: RepositorySource = question.repository;
    const options = { env, signal: this.#abort.signal };
    const repository = await accessRepository(source, this.#workshop, join(place.secrets, 'git'), options);
    try {
      if (repository.address.type === 'folder') return plainFolder(question);
      const asked = { from: repository.from, options: repository.options };
      return question.ask === 'branches' ? await branches(asked) : await newestCommit(asked, source.branch);
    } finally {
      await repository.close();
    }
  }
}
