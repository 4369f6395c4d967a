import type { ComparedRun } from './warm-and-cold.testing.ts';

const PLAY = '- hosts: all\n  gather_facts: false\n  connection: local\n  tasks:\n';
export const HELLO = `${PLAY}    - debug: msg=hello\n`;
const ARGS = ['-i', 'localhost,', 'play.yml'];
const THREE = ['-i', 'one,two,three,', 'play.yml'];

interface TitledRun extends ComparedRun {
  title: string;
  /** A text of both outputs, which shows that the case tests something. */
  shows: string;
}

const play = (tasks: string, more: Partial<ComparedRun> = {}): ComparedRun => ({
  args: ARGS,
  ...more,
  files: { 'play.yml': `${PLAY}${tasks.trimEnd()}\n`, ...more.files },
});
const config = (lines: string, more: Partial<ComparedRun> = {}) =>
  play('    - debug: msg=hello\n', { ...more, files: { 'ansible.cfg': `[defaults]\n${lines}\n`, ...more.files } });
const callback = (code: string, more: Partial<ComparedRun> = {}) =>
  config('callback_plugins = cb\ncallbacks_enabled = own', {
    ...more,
    files: {
      'cb/own.py': `${code}
from ansible.plugins.callback import CallbackBase
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_NAME = "own"
    CALLBACK_TYPE = "notification"
    def v2_playbook_on_start(self, playbook):
        on_start()
`,
      ...more.files,
    },
  });

/** Playbooks, configurations and plugins whose runs must not depend on how the program was started. */
export const COMPARED_RUNS: readonly TitledRun[] = [
  { title: 'has the same output with no configuration', shows: 'hello', ...play('    - debug: msg=hello') },
  { title: 'has the same output with another callback', shows: 'SUCCESS', ...config('stdout_callback = oneline') },
  { title: 'has the same output with the callback minimal', shows: 'SUCCESS', ...config('stdout_callback = minimal') },
  {
    title: 'has the same output with the strategy free',
    isUnordered: true,
    shows: 'hello',
    ...config('strategy = free\nforks = 1', { args: THREE }),
  },
  { title: 'has the same output with one fork', shows: 'three', ...config('forks = 1', { args: THREE }) },
  { title: 'has the same output with native templates', shows: 'hello', ...config('jinja2_native = true') },
  {
    title: 'has the same warning of a bad configuration',
    shows: 'Invalid type',
    ...config('forks = many\nnocows = 1'),
  },
  {
    title: 'has the same error of an unreadable configuration',
    shows: 'rror',
    ...config('', { files: { 'ansible.cfg': 'no section\n' } }),
  },
  {
    title: 'has the same output with a local folder of its own',
    shows: 'hello',
    ...config('local_tmp = own-temporary\nretry_files_enabled = true'),
  },
  {
    title: 'has the same output of -vvv',
    shows: 'ansible-playbook',
    ...play('    - command: echo done', { args: [...ARGS, '-vvv'] }),
  },
  {
    title: 'has the same list of hosts',
    isUnordered: true,
    shows: 'hosts (3)',
    ...play('    - debug: msg=hello', { args: [...THREE, '--list-hosts'] }),
  },
  {
    title: 'has the same version',
    shows: 'python version',
    ...play('    - debug: msg=hello', { args: ['--version'] }),
  },
  {
    title: 'has the same error of an unknown option',
    shows: 'usage',
    ...play('    - debug: msg=hello', { args: ['--unknown'] }),
  },
  {
    title: 'has the same error of a missing playbook',
    shows: 'could not be found',
    ...play('', { args: ['-i', 'localhost,', 'missing.yml'] }),
  },
  { title: 'has the same syntax error', shows: 'rror', ...play('    - debug: msg=hello\n   - bad') },
  { title: 'has the same code of a failed task', shows: 'failed=1', ...play('    - command: /bin/false') },
  {
    title: 'has the same code of an unreachable host',
    shows: 'unreachable=1',
    ...play('    - ping:', {
      args: ['-i', 'localhost,', '-c', 'ssh', '-e', 'ansible_connection=ssh ansible_port=1', 'play.yml'],
    }),
  },
  {
    title: 'runs the same modules',
    shows: 'changed=4',
    ...play(
      `
    - copy: {content: "a\\n", dest: "{{ playbook_dir }}/a"}
    - template: {src: t.j2, dest: "{{ playbook_dir }}/t"}
    - shell: cat a t; umask; ulimit -n; id -u; tty; echo $0
      args: {chdir: "{{ playbook_dir }}"}
      register: shell
    - command: cat /proc/self/limits
      register: limits
    - debug: var=shell.stdout_lines
    - debug: var=limits.stdout_lines
    - stat: {path: "{{ playbook_dir }}/t"}
      register: found
    - debug: msg="{{ found.stat.checksum }} {{ found.stat.mode }}"
`,
      { files: { 't.j2': '{{ inventory_hostname }} {{ [3, 1, 2] | sort }}\n' } },
    ),
  },
  {
    title: 'gathers the same facts and caches them',
    shows: 'cached',
    args: ARGS,
    files: {
      'ansible.cfg': '[defaults]\nfact_caching = jsonfile\nfact_caching_connection = cache\n',
      'play.yml': `
- hosts: all
  connection: local
  tasks:
    - debug: msg="{{ ansible_distribution }} {{ ansible_python_version }} {{ ansible_user_id }} {{ ansible_env.SIGNALBOX_RUN }}"
    - command: ls cache
      args: {chdir: "{{ playbook_dir }}"}
      register: cache
    - debug: msg="cached {{ cache.stdout }}"
`,
    },
  },
  {
    title: 'reads the same inventories and variables',
    isUnordered: true,
    shows: 'from group',
    ...play('    - debug: msg="{{ value }} {{ other | default(1) }}"', {
      args: ['-i', 'hosts.ini', '-i', 'hosts.yml', 'play.yml', '-e', '{"other": "ünïcödé ☃"}'],
      files: {
        'hosts.ini': '[web]\nweb[1:3]\n[web:vars]\nvalue=from group\n',
        'hosts.yml': 'all:\n  hosts:\n    "schöner-name":\n      value: yaml\n',
        'host_vars/web2.yml': 'value: from host\n',
      },
    }),
  },
  {
    title: 'decrypts the same vault',
    shows: 'secret of the vault',
    ...play(
      `
    - command: ansible-vault encrypt --vault-password-file password secrets.yml
      args: {chdir: "{{ playbook_dir }}"}
    - include_vars: secrets.yml
    - debug: var=vaulted
`,
      {
        args: [...ARGS, '--vault-password-file', 'password'],
        files: { password: 'pass\n', 'secrets.yml': 'vaulted: secret of the vault\n' },
      },
    ),
  },
  {
    title: 'finds the same roles, collections and plugins',
    shows: 'filtered-role',
    ...play(
      `
    - include_role: {name: own}
    - debug: msg="{{ lookup('mine') }} {{ 'x' | ns.col.twice }} {{ 'y' is even_longer }}"
    - own_module:
      register: module
    - debug: var=module.value
    - ns.col.act:
`,
      {
        files: {
          'roles/own/tasks/main.yml': '- debug: msg="{{ \'role\' | filtered }}"\n',
          'roles/own/filter_plugins/f.py':
            'class FilterModule:\n    def filters(self): return {"filtered": lambda text: "filtered-" + text}\n',
          'lookup_plugins/mine.py':
            'from ansible.plugins.lookup import LookupBase\nclass LookupModule(LookupBase):\n    def run(self, terms, variables=None, **kw): return ["looked up"]\n',
          'test_plugins/t.py':
            'class TestModule:\n    def tests(self): return {"even_longer": lambda text: len(text) > 0}\n',
          'library/own_module.py':
            '#!/usr/bin/python3\nfrom ansible.module_utils.basic import AnsibleModule\nimport os, sys\nAnsibleModule({}).exit_json(value=[os.getcwd() != "", sys.argv[1:], sys.flags.isolated, sorted(k for k in os.environ if k.startswith("PYTHON"))])\n',
          'collections/ansible_collections/ns/col/plugins/filter/f.py':
            'class FilterModule:\n    def filters(self): return {"twice": lambda text: text * 2}\n',
          'collections/ansible_collections/ns/col/plugins/action/act.py':
            'from ansible.plugins.action import ActionBase\nimport os, multiprocessing\nclass ActionModule(ActionBase):\n    def run(self, tmp=None, task_vars=None):\n        return {"msg": [multiprocessing.current_process().name, os.getpgrp() == os.getpid(), open("/proc/self/cmdline").read()]}\n',
          'collections/ansible_collections/ns/col/meta/runtime.yml': 'requires_ansible: ">=2.9"\n',
        },
      },
    ),
  },
  {
    title: 'has the same error of a plugin that fails at import',
    shows: 'broken plugin',
    ...callback('raise ValueError("broken plugin")'),
  },
  {
    title: 'ends with the same code if a plugin exits',
    shows: 'exits',
    ...callback('import sys\ndef on_start():\n    print("exits")\n    sys.exit(7)'),
  },
  {
    title: 'ends with the same code if a plugin ends the process',
    shows: 'ends',
    ...callback('import os, sys\ndef on_start():\n    print("ends"); sys.stdout.flush()\n    os._exit(9)'),
  },
  {
    title: 'ends by the same signal',
    shows: 'killed',
    ...callback(
      'import os, signal\ndef on_start():\n    print("killed", flush=True)\n    os.kill(os.getpid(), signal.SIGUSR2)',
    ),
  },
  {
    title: 'prints the same uncaught exception',
    shows: 'raised outside',
    ...callback(
      'import sys\ndef outside(*_): raise RuntimeError("raised outside")\ndef on_start():\n    sys.modules["__main__"].sys.exit = outside',
    ),
  },
  {
    title: 'ends in the same way if it is interrupted outside of a play',
    shows: 'KeyboardInterrupt',
    ...callback(
      'import sys\ndef outside(*_): raise KeyboardInterrupt\ndef on_start():\n    sys.modules["__main__"].sys.exit = outside',
    ),
  },
  {
    title: 'prints the same with an exit text',
    shows: 'text of the exit',
    ...callback(
      'import sys, builtins\ndef on_start():\n    sys.modules["__main__"].sys.exit = lambda code: (_ for _ in ()).throw(SystemExit("text of the exit"))',
    ),
  },
  {
    title: 'calls the same exit handlers',
    shows: 'handler',
    ...callback(
      'import atexit, threading, time\natexit.register(lambda: print("handler", __name__))\ndef on_start():\n    threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()',
    ),
  },
  {
    title: 'has the same buffering',
    shows: 'err 3',
    ...callback(
      'import sys, os\ndef on_start():\n    for n in range(4):\n        sys.stdout.write("out %d\\n" % n); os.write(1, b"raw\\n"); sys.stderr.write("err %d\\n" % n); print("é☃", file=sys.stderr)',
    ),
  },
  {
    title: 'starts the same Python',
    shows: 'child',
    ...callback(
      'import subprocess, sys\ndef on_start():\n    print(subprocess.run([sys.executable, "-c", "import sys, os, signal; print(\'child\', sys.path, sys.flags, dict(os.environ), signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGPIPE), os.listdir(\'/proc/self/fd\'))"], capture_output=True, text=True))',
    ),
  },
  {
    title: 'starts the same other processes',
    shows: 'spawned',
    ...callback(
      'import multiprocessing\ndef on_start():\n    print("spawned", multiprocessing.get_context("fork").Pool(1).map(len, ["four"]), multiprocessing.get_start_method())',
    ),
  },
  {
    title: 'leaves the same daemon',
    shows: 'daemon',
    ...callback(
      'import os, time\ndef on_start():\n    if os.fork() == 0:\n        os.setsid(); time.sleep(0.5); os._exit(0)\n    print("daemon")',
    ),
  },
  {
    title: 'shows the same recursion',
    shows: 'RecursionError',
    ...callback(
      'def deep(n):\n    try:\n        return deep(n + 1)\n    except RecursionError: return "RecursionError"\ndef on_start(): print(deep(0))',
    ),
  },
  {
    title: 'logs the same',
    shows: 'relative True',
    ...callback(
      'import logging, time\nfrom logging import LogRecord\ndef on_start():\n    record = LogRecord("a", 10, "p", 1, "m", (), None)\n    print("relative", record.relativeCreated < 60000, logging.root.handlers, record.process == __import__("os").getpid(), record.processName)',
    ),
  },
  {
    title: 'parses YAML in the same way',
    shows: "parsed {'a': [1, 2]}",
    ...callback(
      'import yaml, inspect\nfrom ansible.module_utils.common.yaml import yaml_load\ndef on_start():\n    print("parsed", yaml_load("a: [1, 2]"), inspect.getsource(yaml.load), inspect.signature(yaml.load))\n    try: yaml_load(open("ansible.cfg"))\n    except Exception as error: print(error)',
    ),
  },
  {
    title: 'is stopped in the same way',
    shows: 'waits',
    ...play('    - debug: msg=waits\n    - shell: touch up; sleep 60\n      args: {chdir: "{{ playbook_dir }}"}', {
      at: { file: 'up', signal: 'SIGTERM' },
    }),
  },
  {
    title: 'is killed in the same way',
    shows: 'waits',
    ...play('    - debug: msg=waits\n    - shell: touch up; sleep 60\n      args: {chdir: "{{ playbook_dir }}"}', {
      at: { file: 'up', signal: 'SIGUSR1' },
    }),
  },
  {
    title: 'has the same output with variables of the environment',
    isUnordered: true,
    shows: 'hello',
    ...play('    - debug: msg=hello', {
      args: THREE,
      env: { ANSIBLE_FORKS: '2', ANSIBLE_STDOUT_CALLBACK: 'minimal', NO_COLOR: '1', FOO: 'ü' },
    }),
  },
  {
    title: 'has the same output if a variable keeps it from being forked',
    shows: 'hello',
    ...play('    - debug: msg=hello', { env: { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' } }),
  },
  {
    title: 'refuses the same encoding',
    shows: 'ERROR: Ansible',
    ...play('    - debug: msg=hello', { env: { LC_ALL: 'en_US.ISO-8859-1', LANG: 'en_US.ISO-8859-1' } }),
  },
  {
    title: 'has the same output if the configuration does not exist',
    shows: 'hello',
    ...play('    - debug: msg=hello', {
      env: { ANSIBLE_CONFIG: '/nowhere/ansible.cfg' },
    }),
  },
];
