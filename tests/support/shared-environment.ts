// Suites run in the worker itself, not in separate contexts, because the modules they share belong to one context (see
// shared-runtime.ts). Changes that a suite makes to its surroundings are undone afterwards.
import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

const SURROUNDINGS: readonly object[] = [globalThis, process.env, process];

// An idle worker ends without closing every database opened in it, for which jest does not wait.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

// Processes that a suite starts have the options of a user's, not those of a worker (see run.ts).
process.execArgv.splice(0);

export default class SharedEnvironment implements JestEnvironment<unknown> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #before = SURROUNDINGS.map((object) => ({ object, properties: propertiesOf(object) }));
  readonly #listeners = listeners();
  readonly #folder = process.cwd();
  readonly #exitCode = process.exitCode;
  // Commands that run in the suite's own process set it.
  readonly #umask = process.umask();

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    for (const { object, properties } of this.#before) restore(object, properties);
    for (const [event, listener] of listeners()) {
      if (!this.#listeners.some(([name, before]) => name === event && before === listener)) {
        process.removeListener(event, listener);
      }
    }
    process.chdir(this.#folder);
    process.exitCode = this.#exitCode;
    process.umask(this.#umask);
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Jest runs nothing in a context. */
  getVmContext(): null {
    return null;
  }
}

/** Jest keeps the state of a test file, including its timeout, under symbols with such names. */
const OF_JEST = /^[A-Z_]+$/;

/** The properties that a suite may have changed, without the internal ones of Node and packages. */
function propertiesOf(object: object): Properties {
  const keys = Reflect.ownKeys(object).filter((key) =>
    typeof key === 'string' ? !key.startsWith('_') : OF_JEST.test(Symbol.keyFor(key) ?? ''),
  );
  return new Map(keys.map((key) => [key, Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor]));
}

type Listener = (...parameters: unknown[]) => void;

function listeners(): readonly (readonly [string | symbol, Listener])[] {
  return process
    .eventNames()
    .flatMap((event) => process.rawListeners(event).map((one) => [event, one as Listener] as const));
}

function restore(object: object, before: Properties): void {
  for (const [key, now] of propertiesOf(object)) {
    const original = before.get(key);
    if (original === undefined) Reflect.deleteProperty(object, key);
    else if (now.configurable && now.value !== original.value) Object.defineProperty(object, key, original);
  }
  for (const [key, original] of before) if (!Object.hasOwn(object, key)) Object.defineProperty(object, key, original);
}
