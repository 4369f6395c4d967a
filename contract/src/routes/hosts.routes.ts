import { z } from 'zod';
import { FACT_NAMES, FACT_OPERATORS } from '../entities/fact.ts';
import { HOST_ORDERS, HOST_STATES, HostChoices, HostList, TemplateHosts } from '../entities/host.ts';
import { HostChanges, HostFactVersions, HostFailures, HostPage, HostRuns } from '../entities/host-page.ts';
import { TemplateTimes } from '../entities/template-times.ts';
import { countText, IdText, text } from '../fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { HostParams, ProjectParams, TemplateParams } from './params.ts';

/** Most hosts that one call answers. */
const MAX_HOSTS = 1000;
const MAX_DAYS = 3650;
const MAX_FACT = 300;

export const listHosts = route({
  method: 'GET',
  path: '/project/{project_id}/hosts',
  permission: member(),
  params: ProjectParams,
  query: sortedBy(...HOST_ORDERS).extend({
    from: countText(1, 999_999_999).optional(),
    limit: countText(1, MAX_HOSTS).optional(),
    name: text(253).optional().describe('Only hosts whose name contains this text.'),
    group: text(200).optional().describe('Only hosts of this group in the last run that reported their groups.'),
    template_id: IdText.optional().describe(
      'Only hosts on which this template ran. Only its last outcome counts then.',
    ),
    result: z
      .enum(HOST_STATES)
      .optional()
      .describe(
        'Only hosts whose worst last outcome of a template is this one; `trouble` is `failed` or `unreachable`.',
      ),
    untouched_days: countText(1, MAX_DAYS)
      .optional()
      .describe('Only hosts on which no run has ended for this number of days.'),
    fact: z.enum(FACT_NAMES).optional().describe('Only hosts with this fact, compared with `fact_value`.'),
    fact_operator: z.enum(FACT_OPERATORS).optional().describe('How the fact is compared. Default: `is`.'),
    fact_value: text(MAX_FACT).optional().describe('The value with which the fact is compared. Memory is in MB.'),
    vanished: z
      .enum(['true', 'false'])
      .optional()
      .describe('Only hosts that are no longer in any inventory as it was last listed, or only others.'),
  }),
  status: 200,
  answer: HostList,
  doc: 'The hosts that playbooks of the project ran on, with their last outcomes. Only runs of templates that the caller may see count. The order `trouble` compares the worst last outcome of a template, from `ok` over `stopped`, `changed` and `failed` to `unreachable`. Default limit: 200.',
});

export const listHostChoices = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/choices',
  permission: member(),
  params: ProjectParams,
  query: z.object({
    fact: z.enum(FACT_NAMES).optional().describe('The fact whose values are answered. Default: none.'),
    part: text(MAX_FACT).optional().describe('Only groups and values that contain this text.'),
  }),
  status: 200,
  answer: HostChoices,
  doc: 'The groups and the values of a fact that the hosts of a project have, to choose from.',
});

export const listTemplateHosts = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/hosts',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: TemplateHosts,
  doc: 'How the newest run of a template ended on each host. Dry runs do not count.',
});

export const getTemplateTimes = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/times',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: TemplateTimes,
  doc: 'Where the time of the runs of a template goes: its slowest steps and hosts, and from which run on it is slower.',
});

export const getHost = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/{host_id}',
  permission: member(),
  params: HostParams,
  status: 200,
  answer: HostPage,
  doc: 'One host: its last runs, and how each template last ended on it. Runs of templates that the caller must not see are left out.',
});

export const listHostRuns = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/{host_id}/runs',
  permission: member(),
  params: HostParams,
  query: z.object({ from: countText(1, 999_999_999).optional(), limit: countText(1, 200).optional() }),
  status: 200,
  answer: HostRuns,
  doc: 'The runs on a host, the newest first. Default limit: 50.',
});

export const listHostFailures = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/{host_id}/failures',
  permission: member(),
  params: HostParams,
  status: 200,
  answer: HostFailures,
  doc: 'The failures that a host had in its kept runs, the last seen first.',
});

export const listHostChanges = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/{host_id}/changes',
  permission: member(),
  params: HostParams,
  query: z.object({ from: countText(1, 999_999_999).optional(), limit: countText(1, 100).optional() }),
  status: 200,
  answer: HostChanges,
  doc: 'What the last runs changed on a host, with the differences of runs that show them. Default limit: 20.',
});

export const listHostFacts = route({
  method: 'GET',
  path: '/project/{project_id}/hosts/{host_id}/facts',
  permission: member(),
  params: HostParams,
  status: 200,
  answer: HostFactVersions,
  doc: 'The facts of a host now and earlier. A new version is kept when a fact has changed.',
});
