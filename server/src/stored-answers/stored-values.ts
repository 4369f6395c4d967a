import { LaunchValues } from '@signalbox/contract';

/** The stored values of a schedule, a webhook or a saved launch, without secret answers. */
export const storedValues = ({ launch_values }: { readonly launch_values: string }): LaunchValues =>
  LaunchValues.parse(JSON.parse(launch_values));
