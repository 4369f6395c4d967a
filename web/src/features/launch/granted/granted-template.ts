import type { LaunchLimits, OwnRole, Template } from '@signalbox/contract';

/** A template as a grant permits to run it: what the grant fixes has replaced options and prompts of the template. */
export interface GrantedTemplate extends Template {
  /** What the grant fixes; undefined if no grant limits the tasks. */
  readonly granted?: LaunchLimits;
}

/** The limits of the grants with which the user may run a template; empty if tasks are not limited. */
export const limitsOn = (role: Partial<Pick<OwnRole, 'templates'>> | undefined, templateId: number): LaunchLimits[] =>
  role?.templates?.find(({ template_id }) => template_id === templateId)?.limits ?? [];

/** Narrows a template by a grant, so that forms show and send what the grant fixes as if the template fixed it. */
export const narrowTemplate = (template: Template, granted: LaunchLimits | undefined): GrantedTemplate => {
  if (!granted) return template;
  const { inventory_id, limit } = granted;
  return {
    ...template,
    inventory_id: inventory_id ?? template.inventory_id,
    options: { ...template.options, limit: limit || template.options.limit },
    prompts: {
      ...template.prompts,
      ...(inventory_id === null ? {} : { inventory_id: 'fixed' }),
      ...(limit === '' ? {} : { limit: 'fixed' }),
    },
    granted,
  };
};

export const fixedAnswers = ({ granted }: Pick<GrantedTemplate, 'granted'>): Readonly<Record<string, unknown>> =>
  granted ? (JSON.parse(granted.answers) as Record<string, unknown>) : {};

/** The fixed options as a request has them. The server applies the grant whose values the request has. */
export const grantedBody = ({ granted }: Pick<GrantedTemplate, 'granted'>) => ({
  ...(granted && granted.limit !== '' ? { limit: granted.limit } : {}),
  ...(granted && granted.inventory_id !== null ? { inventory_id: granted.inventory_id } : {}),
});

/** The first of several grants that permits the limit and the inventory of an earlier task; 0 if none does. */
export const fittingGrant = (
  limits: readonly LaunchLimits[],
  earlier: { readonly limit: string; readonly inventory_id?: number | null | undefined } | undefined,
): number =>
  Math.max(
    0,
    limits.findIndex(
      ({ limit, inventory_id }) =>
        earlier !== undefined &&
        (limit === '' || limit === earlier.limit) &&
        (inventory_id === null || inventory_id === earlier.inventory_id),
    ),
  );
