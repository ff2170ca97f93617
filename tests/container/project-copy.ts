// A part of the project in a folder of its own, where nothing else can be found: the files as copies, the packages as links.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface Parts {
  /** Files and folders of the project. */
  readonly paths: readonly string[];
  /** Whether one of them, or of what they hold, is left out. */
  readonly without: (path: string) => boolean;
  /** Names of packages. */
  readonly packages: readonly string[];
  /** Folders of packages that take the place of the project's own. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Copies the parts to the folder. */
export function copyProject(folder: string, { paths, without, packages, instead = {} }: Parts): void {
  for (const path of paths) {
    const filter = (source: string): boolean => !without(source.slice(ROOT.length + 1));
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(instead[name] ?? join(ROOT, 'node_modules', name), link);
  }
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** @param more names of packages that are installed although they count as those for development, with what they need */
export function productionPackages(more: readonly string[]): readonly string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const usual = Object.entries(lock.packages).flatMap(([path, { dev, optional }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || dev === true || optional === true ? [] : [name];
  });
  const all = new Set(usual);
  const add = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {}).forEach(add);
  };
  more.forEach(add);
  return [...all];
}
