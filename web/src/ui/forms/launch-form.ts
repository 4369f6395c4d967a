import type { LaunchValues, Template } from '@signalbox/contract';
import type { ComponentType } from 'react';

/** The fields of what tasks are started with, which belong to another part of the page. */
export interface LaunchForm<V extends object> {
  readonly Fields: ComponentType<{
    template: Template;
    form: unknown;
    /** The stored values of the object, if it keeps its template. */
    stored: LaunchValues | undefined;
    storedSecrets: readonly string[];
  }>;
  readonly values: (template: Template, stored?: LaunchValues) => V;
  readonly body: (template: Template, values: V) => LaunchValues;
  readonly problems: (
    template: Template,
    values: V,
    storedSecrets: readonly string[],
    text: (key: string) => string,
  ) => Record<string, string>;
  readonly serverFields: (fields: Readonly<Record<string, string>>) => Record<string, string>;
}
