/** The names of all time zones, UTC first. */
export const timeZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];
