// The verdicts of `redocly diff` on many pairs of API documents, in as few runs as keep the pairs apart.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiText } from '../../generator/emit/openapi/document.js';
import type { State, States } from '../evolution/pairs.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

type Section = Readonly<Record<string, unknown>>;
interface OpenApi {
  readonly paths: Section;
  readonly webhooks: Section;
  readonly components: Readonly<Record<string, Section>>;
}

/** The rules that reported a major change for each pair, by the index of the pair. */
export async function majorRules(all: readonly States[]): Promise<readonly ReadonlySet<string>[]> {
  const slices = all.map(({ old, new: now }, at) => slice(document(old), document(now), prefixOf(at)));
  const rulesByPair = new Map<string, Set<string>>();
  // redocly may take an added path for a removed one, so documents that gain paths are kept apart from those that lose some.
  const groups = Object.values(GROUPS).map((fits) => slices.filter(({ gains, loses }) => fits(gains, loses)));
  for (const changes of await Promise.all(groups.map(run))) {
    for (const { impact, path, base, verdicts } of changes) {
      if (impact !== 'major') continue;
      const prefixes = new Set(`${path} ${base?.pointer ?? ''}`.match(/q\d{3}(?=[_~])/g));
      for (const prefix of prefixes) {
        const rules = rulesByPair.get(prefix) ?? new Set();
        for (const { ruleId } of verdicts) rules.add(ruleId);
        rulesByPair.set(prefix, rules);
      }
    }
  }
  return all.map((_, at) => rulesByPair.get(prefixOf(at)) ?? new Set());
}

const GROUPS: Readonly<Record<string, (gains: boolean, loses: boolean) => boolean>> = {
  losing: (gains, loses) => loses && !gains,
  both: (gains, loses) => loses && gains,
  others: (_gains, loses) => !loses,
};

interface Slice {
  readonly old: OpenApi;
  readonly now: OpenApi;
  readonly gains: boolean;
  readonly loses: boolean;
}

const DOCUMENTS = new WeakMap<State, OpenApi>();

function document(state: State): OpenApi {
  const known = DOCUMENTS.get(state) ?? describeState(state);
  DOCUMENTS.set(state, known);
  return known;
}

function describeState({ model }: State): OpenApi {
  const text = JSON.stringify(JSON.parse(openapiText(model)), contractAlone);
  const { paths, webhooks = {}, components } = JSON.parse(text) as OpenApi;
  return { paths, webhooks, components };
}

/** Removes examples, and the two form encodings, which have the same parameters as JSON: most of the text. */
function contractAlone(key: string, value: unknown): unknown {
  if (key === 'example' || key === 'examples') return undefined;
  const json = key === 'content' ? (value as Section)['application/json'] : undefined;
  return json === undefined ? value : { 'application/json': json };
}

/** The differences of two documents, direct or through components, under names of their own for this pair. */
function slice(old: OpenApi, now: OpenApi, prefix: string): Slice {
  const differing = differingComponents(old, now);
  const differs = (section: 'paths' | 'webhooks') => (key: string) =>
    JSON.stringify(old[section][key]) !== JSON.stringify(now[section][key]) ||
    refers(now[section][key], differing) ||
    refers(old[section][key], differing);
  const cut = (one: OpenApi): OpenApi => ({
    ...one,
    paths: pick(one.paths, differs('paths')),
    webhooks: pick(one.webhooks, differs('webhooks')),
  });
  const keys = (one: OpenApi) => [...Object.keys(one.paths), ...Object.keys(one.webhooks)];
  const lacksKeys = (one: OpenApi, other: OpenApi) => keys(one).some((key) => !keys(other).includes(key));
  return {
    old: renamed(cut(old), prefix),
    now: renamed(cut(now), prefix),
    gains: lacksKeys(now, old),
    loses: lacksKeys(old, now),
  };
}

/** Pointers of components that differ between the two sides, or refer to components that differ. */
function differingComponents(old: OpenApi, now: OpenApi): ReadonlySet<string> {
  const all = ({ components }: OpenApi) =>
    new Map(
      Object.entries(components).flatMap(([section, entries]) =>
        Object.entries(entries).map(([name, value]) => [`#/components/${section}/${name}`, value] as const),
      ),
    );
  const [before, after] = [all(old), all(now)];
  const pointers = [...new Set([...before.keys(), ...after.keys()])];
  const differing = new Set(
    pointers.filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key))),
  );
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const key of pointers)
      if (refers(before.get(key), differing) || refers(after.get(key), differing)) differing.add(key);
  }
  return differing;
}

function refers(value: unknown, pointers: ReadonlySet<string>): boolean {
  const texts = JSON.stringify(value ?? null).matchAll(/"\$ref":"([^"]+)"/g);
  return [...texts].some(([, pointer]) => pointers.has(pointer ?? ''));
}

function pick(section: Section, wanted: (key: string) => boolean): Section {
  return Object.fromEntries(Object.entries(section).filter(([key]) => wanted(key)));
}

function prefixOf(at: number): string {
  return `q${String(at).padStart(3, '0')}`;
}

function renamed({ paths, webhooks, components }: OpenApi, prefix: string): OpenApi {
  const text = JSON.stringify({ paths, webhooks, components });
  const moved = JSON.parse(text.replaceAll(/"#\/components\/(\w+)\//g, `"#/components/$1/${prefix}_`)) as OpenApi;
  const named = (section: Section, before: string) =>
    Object.fromEntries(Object.entries(section).map(([key, value]) => [`${before}${key}`, value]));
  const { securitySchemes = {}, ...rest } = moved.components;
  return {
    paths: named(moved.paths, `/${prefix}`),
    webhooks: named(moved.webhooks, `${prefix}_`),
    components: {
      securitySchemes,
      ...Object.fromEntries(Object.entries(rest).map(([section, all]) => [section, named(all, `${prefix}_`)])),
    },
  };
}

interface Change {
  readonly impact: 'major' | 'minor' | 'patch';
  readonly path: string;
  readonly base?: { readonly pointer: string };
  readonly verdicts: readonly { readonly ruleId: string }[];
}

async function run(slices: readonly Slice[]): Promise<readonly Change[]> {
  const folder = temporaryFolder('redocly');
  writeFileSync(join(folder, 'old.json'), joined(slices.map(({ old }) => old)));
  writeFileSync(join(folder, 'new.json'), joined(slices.map(({ now }) => now)));
  const options = ['diff', 'old.json', 'new.json', '--format=json', '--fail-on=none', '--lint-config=off'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const settings = { cwd: folder, env, maxBuffer: 2 ** 29 };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(join(ROOT, 'node_modules', '.bin', 'redocly'), options, settings, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  return (JSON.parse(output.slice(output.indexOf('{'))) as { changes: readonly Change[] }).changes;
}

function joined(all: readonly OpenApi[]): string {
  const sections = [...new Set(all.flatMap(({ components }) => Object.keys(components)))];
  const components = sections.map((name) => [name, Object.assign({}, ...all.map((one) => one.components[name] ?? {}))]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pairs', version: '1.0.0' },
    paths: Object.assign({}, ...all.map(({ paths }) => paths)),
    webhooks: Object.assign({}, ...all.map(({ webhooks }) => webhooks)),
    components: Object.fromEntries(components),
  });
}
