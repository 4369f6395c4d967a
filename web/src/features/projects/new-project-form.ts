/** What the form holds: the number is text until it is known to be one. */
export interface NewProjectValues {
  name: string;
  max_parallel_tasks: string;
}

/** Key of the message for a missing name. */
export const nameProblem = (name: string): string | undefined =>
  name.trim() === '' ? 'project.nameRequired' : undefined;

/** Key of the message for a limit that is none; empty means no limit. */
export const limitProblem = (limit: string): string | undefined => {
  const text = limit.trim();
  if (text === '') return undefined;
  if (!/^-?\d+$/.test(text)) return 'project.integer';
  return Number(text) < 0 ? 'project.notNegative' : undefined;
};

/** What is sent for valid values. */
export const newProjectBody = ({ name, max_parallel_tasks }: NewProjectValues, demo: boolean) => ({
  name: name.trim(),
  max_parallel_tasks: Number(max_parallel_tasks.trim() === '' ? '0' : max_parallel_tasks),
  demo,
});
