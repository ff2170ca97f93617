// `punchboard init`: writes the files of a new repository, with a small service to start from. It overwrites nothing.

import { basename, relative, resolve } from 'node:path';
import { catalogue } from '../diagnostics/catalogue.js';
import { isFile, writeInitFiles } from '../write/init-files.js';
import { punchboardVersion } from '../write/installed.js';
import { finish, type Register, type Result } from './command.js';

/** A command as the help shows it: its name and what it does. */
export type DescribedCommand = readonly [name: string, description: string];

/** A file that only pnpm reads. */
const PNPM_SETTINGS = 'pnpm-workspace.yaml';

/**
 * For each package manager: its lock file, any other file that it reads, how to install exactly the locked packages, and how to
 * drop development packages.
 */
const MANAGERS = {
  npm: { lock: 'package-lock.json', install: 'npm ci', prune: 'npm prune --omit=dev' },
  pnpm: {
    lock: `pnpm-lock.yaml ${PNPM_SETTINGS}`,
    install: 'corepack enable && pnpm install --frozen-lockfile',
    prune: 'pnpm prune --prod',
  },
  yarn: {
    lock: 'yarn.lock',
    install: 'corepack enable && yarn install --frozen-lockfile',
    prune: 'yarn install --frozen-lockfile --production',
  },
} as const;

type Manager = keyof typeof MANAGERS;

/** @param userAgent the name that a package manager gives itself: `pnpm/9.1.0 npm/? node/v24.1.0` */
function managerOf(userAgent: string): Manager {
  const [name = ''] = userAgent.split('/');
  return Object.hasOwn(MANAGERS, name) ? (name as Manager) : 'npm';
}

/** @param commands all commands of the program @param userAgent of the calling package manager, or an empty text */
export const registerInit =
  (commands: () => readonly DescribedCommand[], userAgent: string): Register =>
  (program, io) => {
    program
      .command('init')
      .description(
        'write the files of a new service: descriptors, a function, a test, and the files that build and run it',
      )
      .argument('[folder]', 'where to; created if it is missing', '.')
      .addHelpText('after', '\nExit codes: 0 done, even if files existed already; 1 refused; 2 wrong usage.')
      .action((folder: string) => finish(init(folder, commands(), managerOf(userAgent)), io));
  };

/** Code 1: there is a file at the path; nothing was written. */
export function init(folder: string, commands: readonly DescribedCommand[], manager: Manager): Result {
  if (isFile(folder)) return { code: 1, stdout: '', stderr: `${folder} is not a folder\n` };
  const name = nameOf(folder);
  const leftOut = manager === 'pnpm' ? [] : [PNPM_SETTINGS];
  const { created, left } = writeInitFiles(folder, leftOut, {
    name,
    title: titleOf(name),
    version: punchboardVersion(),
    manager,
    ...MANAGERS[manager],
    commands: commands.map(([command, description]) => `- \`punchboard ${command}\`: ${description}`).join('\n'),
    diagnostics: diagnosticsText(),
  });
  const lines = [
    ...created.map((path) => `created ${path}\n`),
    ...left.map((path) => `left    ${path}, which was there already\n`),
  ];
  const way = relative('', folder);
  const steps = [...(way === '' ? [] : [`cd ${way}`]), `${manager} install`, `${manager} run dev`];
  return { code: 0, stdout: `${lines.join('')}\nNext: ${steps.join(' && ')}\n`, stderr: '' };
}

/** A name that npm accepts for a package. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'service' : name;
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A line for each mistake: its code, its message, and the advice. */
function diagnosticsText(): string {
  return Object.entries(catalogue)
    .map(([code, row]) => `- ${code}: ${row.message}${'hint' in row && row.hint !== undefined ? ` (${row.hint})` : ''}`)
    .join('\n');
}
