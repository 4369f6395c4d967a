import type { AccessTest, InventoryHosts, InventoryType, RepositoryFiles } from '@signalbox/contract';
import type { Access, Question, QuestionAnswer, RepositoryAddress } from '@signalbox/contract/link';
import { type Actor, SYSTEM } from '../audit/record-event.ts';
import type { Clock } from '../clock.ts';
import { type OrderNeeds, readAccess, readRepositorySource } from '../dispatch/order.read-model.ts';
import type { QuestionDesk } from '../dispatch/question-desk.ts';
import type { Inquiry } from '../dispatch/question-lease.ts';
import { english } from '../http/english.ts';
import { type RunnerRefusal, runnerRefusal } from '../http/runner-refusal.ts';

export interface QuestionNeeds {
  readonly desk: Pick<QuestionDesk, 'ask'>;
  readonly orderNeeds: OrderNeeds;
  readonly clock: Clock;
}

/** Who asks, and in which project. */
export interface Asker {
  readonly projectId: number;
  readonly actor: Actor;
}

/** What a runner found out, why it could not, or undefined when none answers. */
type Found<T> = Promise<T | RunnerRefusal | undefined>;

/** A test of a key against a repository: each saved, or as a form has it. */
export interface AccessInquiry {
  readonly about: Inquiry['about'];
  readonly event: NonNullable<Inquiry['event']>;
  readonly key: number | Access;
  readonly repository: number | { readonly url: string } | null;
}

type AnswerTo<A extends Question['ask']> = Extract<QuestionAnswer, { ask: A }>;

/** Wires the features to the runners that find things out for them; a secret is opened under the lease of its question. */
export const composeQuestions = ({ desk, orderNeeds, clock }: QuestionNeeds) => {
  const ask = async <A extends Question['ask']>(
    inquiry: Inquiry & { readonly ask: A },
    open: () => Promise<Extract<Question, { ask: A }>>,
  ): Found<AnswerTo<A>> => {
    const answer = await desk.ask(inquiry, open);
    if (answer?.ask === 'refused') return runnerRefusal(answer);
    return answer?.ask === inquiry.ask ? (answer as AnswerTo<A>) : undefined;
  };
  const repositoryInquiry = <A extends Question['ask']>(kind: A, asker: Asker, id: number) =>
    ({ ask: kind, ...asker, about: { type: 'repository', id } }) as const;
  const addressOf = async (
    projectId: number,
    repository: AccessInquiry['repository'],
  ): Promise<RepositoryAddress | null> => {
    if (repository === null) return null;
    if (typeof repository === 'object') return { url: repository.url, branch: '', project_id: projectId };
    const row = await orderNeeds.db
      .selectFrom('repository')
      .select(['git_url', 'git_branch'])
      .where('id', '=', repository)
      .executeTakeFirstOrThrow();
    return { url: row.git_url, branch: row.git_branch, project_id: projectId };
  };

  return {
    branches: async (asker: Asker, repositoryId: number): Found<{ branches: string[] }> =>
      await ask(repositoryInquiry('branches', asker, repositoryId), async () => ({
        ask: 'branches',
        repository: await readRepositorySource(orderNeeds, repositoryId),
      })),

    files: async (asker: Asker, repositoryId: number, branch: string | undefined): Found<RepositoryFiles> =>
      await ask(repositoryInquiry('files', asker, repositoryId), async () => {
        const saved = await readRepositorySource(orderNeeds, repositoryId);
        return { ask: 'files', repository: { ...saved, branch: branch ?? saved.branch } };
      }),

    hosts: async (
      asker: Asker,
      inventory: { readonly id: number; readonly type: InventoryType; readonly inventory: string },
      repositoryId: number | null,
    ): Found<InventoryHosts> =>
      await ask({ ask: 'hosts', ...asker, about: { type: 'inventory', id: inventory.id } }, async () => ({
        ask: 'hosts',
        inventory: { type: inventory.type, inventory: inventory.inventory },
        repository: repositoryId === null ? null : await readRepositorySource(orderNeeds, repositoryId),
      })),

    newestCommit: async (repositoryId: number): Found<{ commit: string }> => {
      const { project_id } = await orderNeeds.db
        .selectFrom('repository')
        .select('project_id')
        .where('id', '=', repositoryId)
        .executeTakeFirstOrThrow();
      const asker = { projectId: project_id, actor: SYSTEM };
      return await ask(repositoryInquiry('newest_commit', asker, repositoryId), async () => ({
        ask: 'newest_commit',
        repository: await readRepositorySource(orderNeeds, repositoryId),
      }));
    },

    access: async (asker: Asker, inquiry: AccessInquiry): Promise<AccessTest | undefined> => {
      const { about, event, key, repository } = inquiry;
      const since = clock.monotonic();
      const answer = await ask({ ask: 'access', ...asker, about, event }, async () => ({
        ask: 'access',
        access: typeof key === 'number' ? await readAccess(orderNeeds, key) : key,
        repository: await addressOf(asker.projectId, repository),
      }));
      if (!answer) return undefined;
      const took_ms = Math.round(clock.monotonic() - since);
      if ('refused' in answer) {
        const { refused } = answer;
        return { works: false, reason: english(refused), reason_code: refused, key: null, branches: null, took_ms };
      }
      return { works: true, reason: '', reason_code: null, key: answer.key, branches: answer.branches, took_ms };
    },
  };
};

export type Questions = ReturnType<typeof composeQuestions>;
