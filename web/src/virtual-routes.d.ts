declare module 'virtual:routes' {
  import type {
    ACTIVE_STATUSES as ActiveStatuses,
    AppFeatures,
    AppName,
    EndReasonCode,
    FactKind,
    FactName,
    FACT_OPERATORS as FactOperators,
    FINAL_STATUSES as FinalStatuses,
    HOST_RESULTS as HostResults,
    HOST_STATES as HostStates,
    Method,
    OPERATORS_OF_KIND as OperatorsOfKind,
    PERMISSION as Permissions,
    RouteName,
    TASK_STATUSES as TaskStatuses,
    WaitingReasonCode,
  } from '@signalbox/contract';

  export const APPS: { readonly [N in AppName]: { readonly title: string; readonly features: AppFeatures } };
  export const ROUTES: { readonly [N in RouteName]: { readonly method: Method; readonly path: string } };
  export const TASK_STATUSES: typeof TaskStatuses;
  export const FINAL_STATUSES: typeof FinalStatuses;
  export const ACTIVE_STATUSES: typeof ActiveStatuses;
  export const ADMIN_WAITING_REASONS: readonly WaitingReasonCode[];
  export const FACT_OPERATORS: typeof FactOperators;
  export const HOST_STATES: typeof HostStates;
  export const HOST_RESULTS: typeof HostResults;
  export const PERMISSION: typeof Permissions;
  export const BEFORE_HOSTS: readonly EndReasonCode[];
  export const END_REASON_CODES: readonly EndReasonCode[];
  export const FACT_NUMBER: string;
  export const OPERATORS_OF_KIND: typeof OperatorsOfKind;
  export const FACT_KINDS: Readonly<Record<FactName, FactKind>>;
  export const MAX_ACTIVE_TASKS: number;
  export const MAX_FOLLOWED: number;
  export const MAX_HITS: number;
  export const MAX_LIMIT: number;
  export const MAX_LOG_LINES: number;
  export const MAX_REGISTRATIONS: number;
  export const MAX_SELECTED: number;
  export const MIN_RUNS: number;
  export const OUTCOMES: number;
}
