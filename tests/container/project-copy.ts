// Copies a part of the project into a separate folder, where nothing else can be found: files as copies, packages as links.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface Parts {
  readonly paths: readonly string[];
  /** Whether such a path, or a path below it, is left out. */
  readonly without: (path: string) => boolean;
  readonly packages: readonly string[];
  /** Folders of packages that replace those of the project. */
  readonly instead?: Readonly<Record<string, string>>;
}

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

/** @param more further packages to install, with their dependencies, although they are development dependencies */
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
