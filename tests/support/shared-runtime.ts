// Loads modules in tests: Node does it instead of jest, and tested modules are loaded once per worker instead of once per test
// file, which took a third of the CPU of a whole run. Test files and their helpers are loaded again each time.
// This is correct because no tested module keeps state (tests/architecture.test.ts checks that). A suite that leaves a module
// changed fails here; shared-environment.ts undoes its other changes.
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import Runtime from 'jest-runtime';
import { count } from './counts.js';
import { ROOT } from './paths.js';

const folder = (...path: readonly string[]) => join(ROOT, ...path) + sep;

const TESTED = [folder('dist', 'runtime'), folder('dist', 'generator'), folder('dist', 'generated')];
const TESTS = folder('dist', 'generated', 'tests');
const PACKAGES = folder('node_modules');
/** The part of jest that collects the tests of a file. */
const COLLECTS = folder('node_modules', 'jest-circus');

/** These functions would have no effect, since jest does not load the modules. */
const REFUSED = [
  ...['mock', 'doMock', 'unmock', 'dontMock', 'setMock', 'unstable_mockModule', 'createMockFromModule'],
  ...['requireActual', 'requireMock', 'isolateModules', 'isolateModulesAsync', 'resetModules'],
];

/**
 * The timeout of a test in milliseconds, unless it sets another. In the short form no test takes a fifth of it on an idle
 * machine, so that a hanging test is soon known.
 */
const TIMEOUT = count(300_000, 600_000);

type Jest = Pick<typeof jest, 'setTimeout'>;

type Exports = Record<string, unknown>;

/** The exports of each tested module when it was loaded. */
const loaded = new Map<Exports, { readonly path: string; readonly names: ReadonlyMap<string, unknown> }>();

const load = require.extensions['.js'];
require.extensions['.js'] = (module, path) => {
  load?.(module, path);
  if (isTested(path)) loaded.set(module.exports, { path, names: valuesOf(module.exports) });
};

export default class SharedRuntime extends Runtime {
  readonly #before: ReadonlySet<string>;
  readonly #testPath: string;

  constructor(...parameters: ConstructorParameters<typeof Runtime>) {
    super(...parameters);
    this.#before = new Set(Object.keys(require.cache));
    this.#testPath = parameters[6];
  }

  /** Jest requires the test file, and the part of jest that collects and runs its tests. */
  override requireModule<T>(from: string, name: string = from): T {
    const load = () => createRequire(from)(name) as T;
    return from.startsWith(COLLECTS) ? withoutContexts(load) : load();
  }

  override setGlobalsForRuntime(globals: Parameters<Runtime['setGlobalsForRuntime']>[0]): void {
    super.setGlobalsForRuntime(globals);
    const { jest } = this.requireModuleOrMock<{ jest: Jest }>(this.#testPath, '@jest/globals');
    jest.setTimeout(TIMEOUT);
    const refused = Object.fromEntries(REFUSED.map((name) => [name, () => refuse(name)]));
    Object.assign(globalThis, { jest: { ...jest, ...refused } });
  }

  override teardown(): void {
    super.teardown();
    for (const path of Object.keys(require.cache)) {
      if (!isShared(path) && !this.#before.has(path)) delete require.cache[path];
    }
    const changed = [...loaded].flatMap(([exports, { path, names }]) => (restore(exports, names) ? [path] : []));
    if (changed.length > 0) throw new Error(`This suite leaves modules changed for others: ${changed.join(', ')}`);
  }
}

/**
 * Jest tracks the asynchronous work of each test, so that an uncaught error fails the test instead of its file; before Node 24,
 * this slows down everything asynchronous, by a tenth of all CPU. Here such an error fails the file.
 */
function withoutContexts<T>(load: () => T): T {
  const name = 'AsyncLocalStorage';
  // Newer versions of Node have a getter here.
  const before = Object.getOwnPropertyDescriptor(asyncHooks, name) ?? {};
  Object.defineProperty(asyncHooks, name, { value: NoContexts, configurable: true, enumerable: true });
  try {
    return load();
  } finally {
    Object.defineProperty(asyncHooks, name, before);
  }
}

class NoContexts {
  getStore(): undefined {}

  run<T>(_store: unknown, work: () => T): T {
    return work();
  }
}

function isTested(path: string): boolean {
  return TESTED.some((one) => path.startsWith(one)) && !path.startsWith(TESTS);
}

function isShared(path: string): boolean {
  return isTested(path) || (path.startsWith(PACKAGES) && !path.startsWith(COLLECTS));
}

/** Exports that a module merely passes on are compared in the module they come from. */
function valuesOf(exports: Exports): ReadonlyMap<string, unknown> {
  const all = Object.entries(Object.getOwnPropertyDescriptors(exports));
  return new Map(all.filter(([, { get }]) => get === undefined).map(([name, { value }]) => [name, value]));
}

/** @returns whether there were changes */
function restore(exports: Exports, names: ReadonlyMap<string, unknown>): boolean {
  const changed = [...names].filter(([name, value]) => exports[name] !== value);
  for (const [name, value] of changed) exports[name] = value;
  return changed.length > 0;
}

function refuse(name: string): never {
  throw new Error(
    `jest.${name} has no effect where suites share modules: use jest.spyOn, which is restored afterwards`,
  );
}
