import { z } from 'zod';
import { MAX_COMPARED_HOSTS } from '../limits.ts';
import { StepCounts } from './run-results.ts';
import { VersionDifference } from './run-versions.ts';
import { Task } from './task.ts';

/** Fields of a task that decide what its run does, and the content of its inventory and of its environment. */
export const ComparedField = z.enum([
  'app',
  'tpl_playbook',
  'commit_hash',
  'git_branch',
  'version',
  'inventory_id',
  'inventory_content',
  'environment_id',
  'environment_content',
  'limit',
  'tags',
  'skip_tags',
  'arguments',
  'dry_run',
  'diff',
  'verbosity',
  'forks',
  'execution_environment',
  'runner_name',
]);
export type ComparedField = z.infer<typeof ComparedField>;

const answer = z.string().nullable().describe('Value as JSON; null if the task has none.');
const hosts = z.array(z.string()).describe(`At most ${MAX_COMPARED_HOSTS} of them, by name.`);

export const ComparedStep = z.object({
  step: z.int().describe('Number of the step in its run.'),
  line: z.int().describe('Number of its first log line.'),
  seconds: z.number().nullable().describe('Null for the newest step of a run.'),
  counts: StepCounts.describe('Number of hosts by result.'),
});
export type ComparedStep = z.infer<typeof ComparedStep>;

export const StepPair = z.object({
  play: z.string().describe('Name of its play.'),
  name: z.string(),
  action: z.string().describe('Module of the step.'),
  path: z
    .string()
    .describe('Its file and line in the repository, as in `roles/base/tasks/main.yml:18`; empty if unknown.'),
  earlier: ComparedStep.nullable().describe('Null for a step that only the later task has.'),
  later: ComparedStep.nullable().describe('Null for a step that only the earlier task has.'),
  differs: z.boolean().describe('Whether a run does not have the step, or hosts had other kinds of results.'),
  slower: z
    .boolean()
    .describe('Whether it took at least 1.5 times as long in the later run, and at least 2 seconds longer.'),
});
export type StepPair = z.infer<typeof StepPair>;

export const TaskComparison = z.object({
  other: Task.nullable().describe('The other task. Null if none was named and no earlier one succeeded.'),
  changed: z.array(ComparedField).describe('The fields in which the tasks differ.'),
  unknown: z
    .array(ComparedField)
    .describe(
      'Content of which is unknown whether it differs: of tasks of earlier versions, and of an inventory in a file if the commits differ.',
    ),
  answers: z
    .array(z.object({ name: z.string(), earlier: answer, later: answer }))
    .describe('Answers and variables that differ, as JSON; null where a task has none.'),
  versions: z.array(VersionDifference).describe('Versions that differ. Empty if those of one run are unknown.'),
  hosts: z
    .object({
      added: hosts,
      added_count: z.int().describe('Number of hosts that only the later run has.'),
      removed: hosts,
      removed_count: z.int().describe('Number of hosts that only the earlier run has.'),
      same_count: z.int().describe('Number of hosts in both runs.'),
    })
    .nullable()
    .describe('Hosts with results in one of the runs only. Null if a run has no results, or more than 20,000 hosts.'),
  total: z.int().describe('Number of steps of both runs together.'),
  different: z.int().describe('Number of steps that differ or are slower.'),
  first: z.int().describe('Number of the first one in `steps`.'),
  steps: z.array(StepPair).describe('The steps of both runs in order, with the same ones side by side.'),
});
export type TaskComparison = z.infer<typeof TaskComparison>;
