import type { ExecutionEnvironment, ProvidedEnvironment } from '@signalbox/contract';

/**
 * A task lists its execution environment among the tags that its runner needs, so that claims compare both together. The colon
 * cannot be in a tag of a user. A server of an earlier version gives such a task to no runner, because none has the tag.
 */
const PREFIX = 'environment:';

const isTag = (need: string): boolean => !need.startsWith(PREFIX);

/** What a runner needs for a task: the tags, and the kind of the execution environment unless every runner has it. */
export const needsOf = (tags: readonly string[], { kind }: Pick<ExecutionEnvironment, 'kind'>): string[] =>
  kind === 'system' ? [...tags] : [...tags, `${PREFIX}${kind}`].sort();

/** What a runner has: its tags, and the kinds of execution environments that it provides. */
export const abilitiesOf = (
  tags: readonly string[],
  environments: readonly Pick<ProvidedEnvironment, 'kind' | 'error'>[],
): string[] => [
  ...tags,
  ...environments.filter(({ error }) => error === undefined).map(({ kind }) => `${PREFIX}${kind}`),
];

/** The tags in the needs of a task, a JSON list. */
export const tagsOf = (needs: string): string[] => (JSON.parse(needs) as string[]).filter(isTag);

/** The kind of the execution environment in the needs of a task, a JSON list. */
export const kindOf = (needs: string): string =>
  (JSON.parse(needs) as string[]).find((need) => !isTag(need))?.slice(PREFIX.length) ?? 'system';
