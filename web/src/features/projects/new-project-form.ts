/** Values of the form. The limit is text until it is validated. */
export interface NewProjectValues {
  name: string;
  max_parallel_tasks: string;
}

/** Catalogue key of the error for a missing name. */
export const nameProblem = (name: string): string | undefined =>
  name.trim() === '' ? 'project.nameRequired' : undefined;

/** Catalogue key of the error for an invalid limit. Empty means no limit. */
export const limitProblem = (limit: string): string | undefined => {
  const text = limit.trim();
  if (text === '') return undefined;
  if (!/^-?\d+$/.test(text)) return 'project.integer';
  return Number(text) < 0 ? 'project.notNegative' : undefined;
};

/** The body of the request for valid values. */
export const newProjectBody = ({ name, max_parallel_tasks }: NewProjectValues, demo: boolean) => ({
  name: name.trim(),
  max_parallel_tasks: Number(max_parallel_tasks.trim() === '' ? '0' : max_parallel_tasks),
  demo,
});
