import type { Project } from '@signalbox/contract';

/** The project to show: the requested one, else the last visited one, else the first; undefined without projects. */
export const chooseProject = (
  projects: readonly Pick<Project, 'id'>[],
  asked: number | undefined,
  last: number | undefined,
): number | undefined =>
  [asked, last].find((id) => id !== undefined && projects.some((project) => project.id === id)) ?? projects[0]?.id;
