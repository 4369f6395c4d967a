import type { Break } from './schema-breaks.ts';

/** The part of a changelog below the heading of a version, without the heading. */
const sectionOf = (changelog: string, heading: string): string | undefined => {
  const sections = changelog.split(/^## /m);
  return sections.find((section) => section.split('\n', 1)[0]?.trim() === heading);
};

/**
 * The breaks that the changelog does not name under `Unreleased`. A break is named if a line of the section has its location
 * in backticks.
 * @throws when there is no such section.
 */
export const findUnnamed = (breaks: readonly Break[], changelog: string): Break[] => {
  const section = sectionOf(changelog, 'Unreleased');
  if (section === undefined) throw new Error('The changelog has no section "Unreleased".');
  return breaks.filter(({ location }) => !section.includes(`\`${location}\``));
};

export const hasVersion = (changelog: string, version: string): boolean => sectionOf(changelog, version) !== undefined;
