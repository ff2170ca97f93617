// Composes commands to paste, in the form in which they work where this one was called.

import { basename, relative, resolve } from 'node:path';
import { findProject, GENERATED, placeIn, SPEC } from './find.js';

/** How this program was called. @param script path of what Node runs */
export function invoked(script: string | undefined = process.argv[1]): string {
  if (script === undefined || /[\\/]node_modules[\\/]/.test(script)) return 'npx punchboard';
  // A link that the shell has found on its path.
  if (basename(script) === 'punchboard') return 'punchboard';
  const path = relative('', script);
  return `node ${path.startsWith('..') ? script : path}`;
}

/** Messages name commands as `punchboard …`. @returns the text with commands in the form in which they work here */
export function asInvoked(text: string): string {
  return text.replace(/(?<=`|: |^)punchboard (?=[a-z])/gm, `${invoked()} `);
}

/** `punchboard gen` for these folders; the project's own folders need not be named. */
export function genCommand(spec: string, out: string): string {
  if (isUsual(spec, out)) return `${invoked()} gen`;
  return `${invoked()} gen --spec ${relative('', spec)} --out ${relative('', out)}`;
}

/** Whether these are the folders of the project here. */
export function isUsual(spec: string, out: string): boolean {
  const project = findProject('');
  const isAt = (folder: string, place: string): boolean =>
    project !== null && resolve(folder) === resolve(placeIn(project, place));
  return isAt(spec, SPEC) && isAt(out, GENERATED);
}
