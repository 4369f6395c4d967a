import type { Task } from '@signalbox/contract';

/** The items of a JSON list of arguments; none for another text. */
export const argumentList = (json: string | null): string[] => {
  try {
    const value: unknown = JSON.parse(json || '[]');
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
};

/** The arguments with which a task ran: those of its template, as far as they are known, and then its own. */
export const taskArguments = (task: Pick<Task, 'tpl_arguments' | 'arguments'>): string[] => [
  ...argumentList(task.tpl_arguments),
  ...argumentList(task.arguments),
];
