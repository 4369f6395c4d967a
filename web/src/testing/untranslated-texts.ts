import type { Language } from '@signalbox/contract';

const EVERYWHERE = [
  ...['Signalbox', 'API', 'Cron', 'null'],
  ...['Slack', 'Microsoft Teams', 'Mattermost / Rocket.Chat', 'Telegram'],
];

/**
 * Texts that are the same in a language as in English. Any other text that equals the English one is a missing
 * translation.
 */
export const UNTRANSLATED: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  ru: [...EVERYWHERE, 'ok', 'Diff', '{{count}} ok'],
  de: [
    'Feed',
    'Badge',
    'App',
    'Apps',
    'Container',
    ...EVERYWHERE,
    ...[
      'Build #{{id}}',
      'Name',
      'Label',
      'Label {{name}}',
      'Labels',
      'Playbook',
      'Runner',
      'Repository',
      'Repositories',
      'Start',
      'Status',
      'System',
      'Version',
      'Dashboard',
    ],
    ...['in', 'Host', 'Hosts', 'ok', '{{count}} ok', 'Log', 'Diff', 'optional', 'Optional', 'Demo', 'Commit', 'Plays'],
    ...['Webhooks', 'Header', 'Tags', '0 (normal)'],
    ...['Code', 'Details', 'Build', 'Passphrase', 'Branch', 'Team', 'Manager', 'Variable', 'Text'],
  ],
  zh: [...EVERYWHERE, 'Playbook', 'Runner'],
  fr: [
    'Badge',
    'Violet',
    ...EVERYWHERE,
    'Runner',
    ...[
      'Migrations',
      'Build #{{id}}',
      'Secret',
      'Actions',
      'Message',
      'Playbook',
      'Type',
      'Version',
      'Module',
      'ok',
      '{{count}} ok',
      'Arguments',
    ],
    ...['Diff', 'Menu', 'Runners', 'Commit', 'Plays', 'Build', 'Variable', 'Variables', '{{count}} variable'],
    ...['Webhooks', '{{count}} webhook', '{{count}} webhooks', 'Tags', 'position {{position}}'],
    ...['{{count}} variables', 'local', 'admin', 'Description', 'Active', 'Page', 'Date'],
  ],
  pt: [
    'Feed',
    ...EVERYWHERE,
    ...['Runner', 'Tags', '0 (normal)', '{{number}} host', '{{number}} hosts'],
    ...[
      'Build #{{id}}',
      'Playbook',
      'Status',
      'Host',
      'Hosts',
      '{{count}} host',
      '{{count}} hosts',
      ', {{count}} host',
    ],
    ...[
      ', {{count}} hosts',
      'ok',
      '{{count}} ok',
      'Log',
      'Diff',
      'Menu',
      'Runners',
      'Commit',
      'Plays',
      'Build',
      'Deploy',
    ],
    ...['local', 'Branch', 'admin', 'Webhooks', '{{count}} webhook', '{{count}} webhooks'],
  ],
};
