// The options of commands for the folders of the spec and its output: by default, those of the nearest project upwards.

import type { Command } from 'commander';
import { findProject, GENERATED, NO_PROJECT, pathInProject, SPEC } from '../../runtime/project/find.js';

/**
 * Adds `--spec`; outside a project the command does nothing without it (N13).
 * @param needsNone whether the command needs no spec for these arguments
 */
export function withSpecOption(
  command: Command,
  needsNone: (args: readonly string[]) => boolean = () => false,
): Command {
  return command
    .option('--spec <folder>', 'folder of the descriptors; by default spec/ of the project')
    .hook('preAction', (_, acting) => {
      if (!needsNone(acting.args)) placeSpec(acting);
    });
}

/** Adds `--out` to a command with `--spec`. */
export function withOutOption(command: Command): Command {
  return command.option('--out <folder>', 'output folder; by default generated/ of the project');
}

/** Adds `--generated` to a command that only needs generated files. */
export function withGeneratedOption(command: Command): Command {
  return command
    .option('--generated <folder>', 'output folder of punchboard gen; by default generated/ of the project')
    .hook('preAction', (_, acting) => placeAll(acting, 'generated', { generated: GENERATED }));
}

function placeSpec(command: Command): void {
  if (command.getOptionValue('spec') === undefined) placeAll(command, 'spec', { spec: SPEC, out: GENERATED });
  else setUsual(command, 'out', GENERATED);
}

/** Sets options that were not given to folders of the project. @param named the option that is required outside a project */
function placeAll(command: Command, named: string, folders: Readonly<Record<string, string>>): void {
  if (command.getOptionValue(named) !== undefined) return;
  const project = findProject('');
  if (project === null) {
    // Reported with other mistakes, instead of running the action.
    command.error(
      `punchboard: ${NO_PROJECT}: go to the project's folder, or name the folder with --${named}; to begin one, run punchboard init`,
    );
    return;
  }
  for (const [option, folder] of Object.entries(folders)) setUsual(command, option, pathInProject(project, folder));
}

function setUsual(command: Command, option: string, folder: string): void {
  const isTaken = command.options.some(({ long }) => long === `--${option}`);
  if (isTaken && command.getOptionValue(option) === undefined) {
    command.setOptionValueWithSource(option, folder, 'default');
  }
}
