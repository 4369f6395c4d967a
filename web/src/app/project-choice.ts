import type { Project } from '@signalbox/contract';

/** The most suitable project: the one asked for, else the last one visited, else the first; none without projects. */
export const chooseProject = (
  projects: readonly Pick<Project, 'id'>[],
  asked: number | undefined,
  last: number | undefined,
): number | undefined =>
  [asked, last].find((id) => id !== undefined && projects.some((project) => project.id === id)) ?? projects[0]?.id;
