// `punchboard completion bash|zsh|fish`: a script that completes commands, options and their values in a shell, generated from
// the program. An argument or value called `resource` is completed with the names of the project's resources.

import { Argument, type Command } from 'commander';
import { type Io, runCommand, setUpCommand } from './command.js';

/** Adds `completion` to the program, which then has all commands. */
export function registerCompletionCommand(program: Command, io: Io): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands in a shell: `eval "$(punchboard completion bash)"`')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']));
  setUpCommand(command, io).action((shell: Shell) =>
    runCommand(io, async () => void io.stdout.write(SCRIPTS[shell](pathsOf(program)))),
  );
}

type Shell = 'bash' | 'zsh' | 'fish';

interface Path {
  /** Names from the program on, `user add`; empty: the program itself. */
  readonly names: readonly string[];
  readonly commands: readonly Command[];
  /** Values of the options by their flag; null: the option takes none. */
  readonly options: ReadonlyMap<string, Values | null>;
  /** Values of the arguments. */
  readonly values: Values;
}

/** The names of the project's resources, or a list; if the list is empty, the shell offers files. */
type Values = 'resources' | readonly string[];

function pathsOf(command: Command, names: readonly string[] = []): readonly Path[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const options = command.options.flatMap(({ long, required, optional, argChoices, flags }) =>
    long ? [[long, required || optional ? valuesOf(flags, argChoices) : null] as const] : [],
  );
  const values = command.registeredArguments.map((one) => valuesOf(`<${one.name()}>`, one.argChoices));
  const path: Path = {
    names,
    commands,
    options: new Map([...options, ['--help', null]]),
    values: values.includes('resources') ? 'resources' : values.flat(),
  };
  return [path, ...commands.flatMap((one) => pathsOf(one, [...names, one.name()]))];
}

function valuesOf(flags: string, choices: readonly string[] = []): Values {
  return /<resources?>/.test(flags) ? 'resources' : choices;
}

const SCRIPTS: Readonly<Record<Shell, (paths: readonly Path[]) => string>> = {
  bash: bashScript,
  zsh: (paths) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(paths)}`,
  fish: fishScript,
};

/**
 * The command typed so far decides what is offered; the longest names come first. After an option with a value, that option
 * decides. `compgen` executes what its words contain, so it gets only names that a resource can have.
 */
function bashScript(paths: readonly Path[]): string {
  const longest = [...paths].sort((one, other) => other.names.length - one.names.length);
  const typed = ({ names }: Path): string => names.map((name) => ` ${name}`).join('');
  const cases = longest.map((path) => {
    const words = [...path.commands.map((one) => one.name()), ...path.options.keys(), ...bashWords(path.values)].join(
      ' ',
    );
    return `    "${typed(path)} "*) words="${words}" ;;`;
  });
  const ofOptions = longest.flatMap((path) =>
    [...path.options].flatMap(([flag, values]) =>
      values === null ? [] : [`    "${typed(path)} "*" ${flag}") words="${bashWords(values).join(' ')}" ;;`],
    ),
  );
  return `_punchboard_resources() {
  local folder="$PWD" file
  while [ -n "$folder" ] && [ ! -d "$folder/spec/resources" ]; do folder="\${folder%/*}"; done
  for file in "$folder"/spec/resources/*.yaml; do
    file="\${file##*/}" file="\${file%.yaml}"
    case "$file" in *[!a-z0-9_]*) ;; *) echo "$file" ;; esac
  done
}
_punchboard() {
  local typed="" word words="" current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -* | =) ;; *) typed="$typed $word" ;; esac
  done
  case "$current" in =) current="" ;; esac
  case "$before" in =) before="\${COMP_WORDS[COMP_CWORD-2]}" ;; esac
  case "$typed " in
${cases.join('\n')}
  esac
  case "$typed  $before" in
${ofOptions.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _punchboard punchboard
`;
}

function bashWords(values: Values): readonly string[] {
  return values === 'resources' ? ['$(_punchboard_resources)'] : values;
}

function fishScript(paths: readonly Path[]): string {
  const lines = paths.flatMap(({ names, commands, options, values }) => {
    const [last] = names.slice(-1);
    const condition = last === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${last}`;
    const complete = `complete -c punchboard -n '${condition}'`;
    return [
      ...commands.map((one) => `${complete} -f -a ${one.name()} -d ${quoted(one.description())}`),
      ...(values.length === 0 ? [] : [`${complete} -f -a ${fishWords(values)}`]),
      ...[...options].map(([flag, after]) => `${complete} -l ${flag.slice(2)}${fishValue(after)}`),
    ];
  });
  return `function __punchboard_resources
  set -l folder $PWD
  while test -n "$folder" -a ! -d "$folder/spec/resources"
    set folder (string replace -r '/[^/]*$' '' -- $folder)
  end
  for file in $folder/spec/resources/*.yaml
    basename $file .yaml
  end
end
${lines.join('\n')}
`;
}

/** The part of a `complete` line that says which values follow a flag. */
function fishValue(values: Values | null): string {
  if (values === null) return '';
  return values.length === 0 ? ' -r' : ` -x -a ${fishWords(values)}`;
}

function fishWords(values: Values): string {
  return quoted(values === 'resources' ? '(__punchboard_resources)' : values.join(' '));
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
