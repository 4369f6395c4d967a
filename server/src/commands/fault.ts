/** Told by their names, so that nothing is loaded for a command that needs none of it. */
const FOR_PEOPLE = new Set(['StartError', 'ConfigError', 'ApiError']);

/** Whether a fault is one that whoever gave the command can mend. */
export const isForPeople = (error: unknown): error is Error => error instanceof Error && FOR_PEOPLE.has(error.name);
