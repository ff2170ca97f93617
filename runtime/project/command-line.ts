// Composes commands to paste, in the form in which they work where this one was called.

import { basename, relative, resolve } from 'node:path';
import { findProject, GENERATED, pathInProject, SPEC } from './find.js';

/** How this program was called. @param script path of what Node runs */
export function programName(script: string | undefined = process.argv[1]): string {
  if (script === undefined || /[\\/]node_modules[\\/]/.test(script)) return 'npx punchboard';
  // A link that the shell has found on its path.
  if (basename(script) === 'punchboard') return 'punchboard';
  const path = relative('', script);
  return `node ${path.startsWith('..') ? script : path}`;
}

/** Messages name commands as `punchboard …`. @returns the text with commands in the form in which they work here */
export function withProgramName(text: string): string {
  return text.replace(/(?<=`|: |^)punchboard (?=[a-z])/gm, `${programName()} `);
}

/** `punchboard gen` for these folders; the project's own folders need not be named. */
export function genCommand(spec: string, out: string): string {
  if (isDefaultProject(spec, out)) return `${programName()} gen`;
  return `${programName()} gen --spec ${relative('', spec)} --out ${relative('', out)}`;
}

/** Whether these are the folders of the project here. */
export function isDefaultProject(spec: string, out: string): boolean {
  const project = findProject('');
  const isAt = (folder: string, place: string): boolean =>
    project !== null && resolve(folder) === resolve(pathInProject(project, place));
  return isAt(spec, SPEC) && isAt(out, GENERATED);
}
