import { z } from 'zod';
import { HostList, TemplateHosts } from '../entities/host.ts';
import { HostChanges, HostFactVersions, HostFailures, HostPage, HostRuns } from '../entities/host-page.ts';
import { TemplateTimes } from '../entities/template-times.ts';
import { countText, text } from '../fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { HostParams, ProjectParams, TemplateParams } from './params.ts';

/** Most hosts that one call answers. */
const MAX_HOSTS = 1000;

export const listHosts = route({
  method: 'GET',
  path: '/project/{project_id}/hosts',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('host', 'last_success', 'last_change', 'last_failure').extend({
    from: countText(1, 999_999_999).optional(),
    limit: countText(1, MAX_HOSTS).optional(),
    name: text(253).optional().describe('Only hosts whose name contains this text.'),
    group: text(200).optional().describe('Only hosts of this group in the last run that reported their groups.'),
  }),
  status: 200,
  answer: HostList,
  doc: 'The hosts that playbooks of the project ran on, with their last success, change and failure. Default limit: 200.',
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
