// Loads CommonJS modules instead of Node's own loader, and in the same way: the same objects under the same paths.

import Module, { createRequire } from 'node:module';
import type { Script } from 'node:vm';

/** The modules that are loaded here. All paths are absolute. */
export interface Modules {
  /** Undefined: Node loads the module. */
  read(path: string): Content | undefined;
  /** The path of what a module requires; null: a module of Node; undefined: Node resolves the specifier. */
  resolve(specifier: string, path: string): string | null | undefined;
}

/** A script is a function of what Node passes to a module; a text is JSON. */
export type Content = Script | string;

type RequireOptions = Parameters<NodeJS.RequireResolve>[1];

type Run = (exports: unknown, require: NodeJS.Require, module: Module, path: string, folder: string) => void;

/**
 * @returns a function that loads a module with everything that it requires. Every caller gets the same object of a module, as
 * both loaders keep what they have loaded in Node's `require.cache`.
 */
export function createLoader(modules: Modules): (path: string) => unknown {
  const load: Load = (path, usual, parent) => {
    const loaded = require.cache[path];
    if (loaded !== undefined) return loaded.exports;
    const content = modules.read(path);
    if (content === undefined) return usual();
    const loading = new CachedModule(path, parent);
    loading.filename = path;
    require.cache[path] = loading;
    try {
      if (typeof content === 'string') loading.exports = JSON.parse(content);
      else run(content, loading);
    } catch (error) {
      delete require.cache[path];
      parent?.children.pop();
      throw error;
    }
    loading.loaded = true;
    return loading.exports;
  };
  const run = (script: Script, loading: Module): void => {
    const { filename, path, exports } = loading;
    const from = requireOf(loading, (specifier) => modules.resolve(specifier, filename), load);
    (script.runInThisContext() as Run).call(exports, exports, from, loading, filename, path);
  };
  return (path) => load(path, () => require(path));
}

/** @param usual loads the module by Node's own loader */
type Load = (path: string, usual: () => unknown, parent?: Module) => unknown;

/** A module's `require`. */
function requireOf(
  loading: Module,
  resolve: (specifier: string) => string | null | undefined,
  load: Load,
): NodeJS.Require {
  let created: NodeJS.Require | undefined;
  const usual = (): NodeJS.Require => (created ??= createRequire(loading.filename));
  const from = (specifier: string): unknown => {
    const path = resolve(specifier);
    if (path === null) return require(specifier);
    return path === undefined ? usual()(specifier) : load(path, () => usual()(specifier), loading);
  };
  const { main, cache, extensions } = require;
  const resolvePath = (specifier: string, options?: RequireOptions) => usual().resolve(specifier, options);
  const paths = (specifier: string) => usual().resolve.paths(specifier);
  return Object.assign(from, { main, cache, extensions, resolve: Object.assign(resolvePath, { paths }) });
}

/** Whether the module was loaded here. */
export function isCached(loaded: NodeModule): boolean {
  return loaded instanceof CachedModule;
}

/** The paths where Node would look for packages are composed only on request: for all modules that takes 2 ms of a start. */
class CachedModule extends Module {
  override get paths(): string[] {
    return INTERNAL._nodeModulePaths(this.path);
  }
}

/** A part of the class that its types do not have. */
const INTERNAL = Module as unknown as { _nodeModulePaths(folder: string): string[] };
