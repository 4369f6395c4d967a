import type { LaunchValues, Template } from '@signalbox/contract';
import type { ComponentType, ReactNode } from 'react';

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

/** Answers in a form, by the name of their variable. */
export type FormAnswers = Record<string, string | string[]>;

export interface HostsFieldProps {
  label: string;
  template: Template;
  /** Id of the inventory as text; null for that of the template. */
  inventory: string | null;
  /** The host pattern. */
  value: string;
  error?: ReactNode;
  onChange: (pattern: string) => void;
}

/** The fields of what a grant fixes of tasks, which belong to another part of the page. */
export interface FixedValuesForm {
  /** The field of the only hosts. */
  readonly Hosts: ComponentType<HostsFieldProps>;
  readonly Fields: ComponentType<{
    template: Template;
    values: FormAnswers;
    errors: Readonly<Record<string, ReactNode>>;
    onChange: (values: FormAnswers) => void;
  }>;
  readonly values: (template: Template, answers: string) => FormAnswers;
  /** The answers as a request has them. */
  readonly text: (template: Template, values: FormAnswers) => string;
  /** Errors by field: `answers.<name>`. */
  readonly problems: (template: Template, values: FormAnswers) => Record<string, string>;
}
