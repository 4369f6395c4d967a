/** File names and hosts that the playbooks and the inventories of the seeded project share. */
export const LOCAL_HOSTS = [
  'anwendung-01.rz-nord.example',
  'anwendung-02.rz-nord.example',
  'anwendung-03.rz-nord.example',
  'datenbank-01.rz-sued.example',
  'datenbank-02.rz-sued.example',
  'lastverteiler-01.rz-sued.example',
] as const;

const play = (name: string, tasks: string): string =>
  `- name: ${name}\n  hosts: all\n  gather_facts: false\n  tasks:\n${tasks}`;

const debugStep = (name: string, message: string): string =>
  `    - name: ${name}\n      ansible.builtin.debug:\n        msg: ${message}\n`;

const change = (name: string): string =>
  `    - name: ${name}\n      ansible.builtin.command: 'true'\n      changed_when: true\n`;

/**
 * The playbooks of the seeded project: one that succeeds, one that fails on some hosts, and one that waits for a file.
 * @param gate path of the file for which the waiting playbook waits
 */
export const seededPlaybooks = (gate: string): Readonly<Record<string, string>> => ({
  'aktualisierung.yml':
    play(
      'Betriebssystem aktualisieren',
      debugStep('Paketquellen einlesen', '"48 Pakete sind neuer"') +
        change('Sicherheitsaktualisierungen einspielen') +
        debugStep('Neustart prüfen', '"Kein Neustart nötig"'),
    ) + play('Dienste prüfen', debugStep('Erreichbarkeit prüfen', '"{{ inventory_hostname }} antwortet"')),
  'build.yml': play('Build the shop', change('Compile') + debugStep('Publish the artefact', '"shop.tar.gz, 48.2 MB"')),
  'deploy.yml': play(
    'Deploy the shop',
    change('Unpack the artefact') +
      debugStep('Show the version', '"{{ semaphore_vars.task_details.incoming_version }}"') +
      change('Switch the release'),
  ),
  'wiederherstellung.yml': play(
    'Datenbanksicherung wiederherstellen',
    `${debugStep('Sicherungsverzeichnis einlesen', '"3 Sicherungen gefunden"')}    - name: Prüfsumme der Sicherung vergleichen
      ansible.builtin.assert:
        that: "'datenbank' not in inventory_hostname"
        fail_msg: Die Prüfsumme der Sicherung stimmt nicht mit der des Sicherungsverzeichnisses überein.
${change('Sicherung einspielen')}`,
  ),
  'neustart.yml': play(
    'Rolling restart',
    `${debugStep('Take out of the load balancer', '"drained"')}    - name: Wait for open sessions
      ansible.builtin.wait_for:
        path: ${gate}
        timeout: 3600
`,
  ),
  'inventories/production.ini': `[web]\n${LOCAL_HOSTS[0]}\n`,
});
