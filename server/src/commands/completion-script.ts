import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Completion {
  readonly text: string;
  readonly description: string;
}

/** A position in a command line, such as after `user token`, with its possible continuations. */
interface Step {
  readonly after: string;
  readonly completions: readonly Completion[];
  /** Whether a subcommand must follow, so that file names make no sense. */
  readonly isGroup: boolean;
}

const completionsOf = (command: Command): Completion[] => {
  const help = command.createHelp();
  return [
    ...help.visibleCommands(command).map((one) => ({ text: one.name(), description: one.description() })),
    ...help.visibleOptions(command).map(({ long, short, description }) => ({ text: long ?? short ?? '', description })),
  ];
};

/** Returns every position in a command line that can be completed, the program itself first. */
export const stepsOf = (command: Command, after = ''): Step[] => [
  { after, completions: completionsOf(command), isGroup: command.commands.length > 0 },
  ...command.commands.flatMap((one) => stepsOf(one, after === '' ? one.name() : `${after} ${one.name()}`)),
];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const bash = (steps: readonly Step[]): string => `_signalbox() {
  local chain="" token
  for token in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${chain:+$chain }$token" in
      ${steps
        .slice(1)
        .map(({ after }) => quoted(after))
        .join(' | ')}) chain="\${chain:+$chain }$token" ;;
    esac
  done
  local choices=""
  case "$chain" in
${steps.map(({ after, completions }) => `    ${quoted(after)}) choices=${quoted(completions.map(({ text }) => text).join(' '))} ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _signalbox signalbox signalbox.mjs
`;

const zsh = (steps: readonly Step[]): string => `#compdef signalbox signalbox.mjs
_signalbox() {
  local chain="" token
  local -a entries
  for token in "\${(@)words[2,CURRENT-1]}"; do
    case "\${chain:+$chain }$token" in
      (${steps
        .slice(1)
        .map(({ after }) => quoted(after))
        .join(' | ')}) chain="\${chain:+$chain }$token" ;;
    esac
  done
  case "$chain" in
${steps
  .map(({ after, completions }) => {
    const entries = completions.map(({ text, description }) => quoted(`${text}:${description}`));
    return `    (${quoted(after)}) entries=(${entries.join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe 'signalbox' entries || _files
}
if [ "$funcstack[1]" = "_signalbox" ]; then _signalbox "$@"; else compdef _signalbox signalbox signalbox.mjs; fi
`;

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fish = (steps: readonly Step[]): string => `function __signalbox_after
  set -l chain ''
  set -l tokens (commandline -opc)
  for token in $tokens[2..-1]
    set -l next (string trim -- "$chain $token")
    if contains -- "$next" ${steps
      .slice(1)
      .map(({ after }) => fishQuoted(after))
      .join(' ')}
      set chain "$next"
    end
  end
  test "$chain" = "$argv[1]"
end
${steps
  .filter(({ isGroup }) => isGroup)
  .map(({ after }) => `complete -c signalbox -n ${fishQuoted(`__signalbox_after "${after}"`)} -f`)
  .join('\n')}
${steps
  .flatMap(({ after, completions }) =>
    completions.map(
      ({ text, description }) =>
        `complete -c signalbox -n ${fishQuoted(`__signalbox_after "${after}"`)} -a ${fishQuoted(text)} -d ${fishQuoted(description)}`,
    ),
  )
  .join('\n')}
`;

const SCRIPTS: Readonly<Record<Shell, (steps: readonly Step[]) => string>> = { bash, zsh, fish };

/** Returns a script that completes the commands and options of a program. */
export const completionScript = (program: Command, shell: Shell): string => SCRIPTS[shell](stepsOf(program));
