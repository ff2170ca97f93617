// `punchboard completion bash|zsh|fish`: a script that completes commands and options in a shell, made from the program.

import { Argument, type Command } from 'commander';
import { attempt, type Io, settle } from './command.js';

/** Adds `completion` to the program, which then has all commands. */
export function registerCompletionCommand(program: Command, io: Io): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands in a shell: `eval "$(punchboard completion bash)"`')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']));
  settle(command, io).action((shell: Shell) =>
    attempt(io, async () => void io.stdout.write(SCRIPTS[shell](pathsOf(program)))),
  );
}

type Shell = 'bash' | 'zsh' | 'fish';

interface Path {
  /** Names from the program on, `user add`; empty: the program itself. */
  readonly names: readonly string[];
  readonly commands: readonly Command[];
  readonly options: readonly string[];
}

function pathsOf(command: Command, names: readonly string[] = []): readonly Path[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const options = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  return [{ names, commands, options }, ...commands.flatMap((one) => pathsOf(one, [...names, one.name()]))];
}

const SCRIPTS: Readonly<Record<Shell, (paths: readonly Path[]) => string>> = {
  bash: bashScript,
  zsh: (paths) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(paths)}`,
  fish: fishScript,
};

/** The command that has been typed so far decides; the longest names come first. */
function bashScript(paths: readonly Path[]): string {
  const longest = [...paths].sort((one, other) => other.names.length - one.names.length);
  const cases = longest.map(({ names, commands, options }) => {
    const words = [...commands.map((one) => one.name()), ...options].join(' ');
    return `    "${names.map((name) => ` ${name}`).join('')}"*) words="${words}" ;;`;
  });
  return `_punchboard() {
  local typed="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) typed="$typed $word" ;; esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _punchboard punchboard
`;
}

function fishScript(paths: readonly Path[]): string {
  const lines = paths.flatMap(({ names, commands, options }) => {
    const [last] = names.slice(-1);
    const when = last === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${last}`;
    return [
      ...commands.map(
        (one) => `complete -c punchboard -n '${when}' -f -a ${one.name()} -d ${quoted(one.description())}`,
      ),
      ...options.map((option) => `complete -c punchboard -n '${when}' -l ${option.slice(2)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
