// What comes with the service for operators: alerts and the dashboard name metrics that exist, and the files that start the
// service name options that exist.

import { mkdirSync, readFileSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { run, serve } from '../cli/processes.js';
import { exchange } from '../support/exchange.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';

const DEPLOY = join(ROOT, 'runtime', 'server', 'deploy');
const TOKEN = 'a token for the metrics';
const text = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

const folder = temporaryFolder('deploy');
const backups = ['--console', '--backups', join(folder, 'backups')];
const server = shared(() =>
  serve(['--port', '0', '--log-level', 'error', '--metrics-token', TOKEN, ...backups], folder),
);
let metrics: string;
beforeAll(async () => {
  await exchange(`${server.address}/api/game/none`, { method: 'GET' });
  metrics = await scrape();
});

async function scrape(): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await exchange(`${server.address}/metrics`, { method: 'GET', headers })).text;
}

const known = (): ReadonlySet<string> =>
  new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''));
const metricsIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:punchboard|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );

interface Alerts {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
}

test('every metric of an alert exists, and every alert has a severity', () => {
  const rules = (parse(text('alerts.yaml')) as Alerts).groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  const unknown = rules.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !known().has(name));
  expect(unknown).toEqual([]);
  const others = rules.filter(({ labels }) => !['critical', 'warning'].includes(labels?.severity ?? ''));
  expect(others.map(({ alert }) => alert)).toEqual([]);
});

test('the metrics report the space on the disks and the newest backup', async () => {
  const valueIn = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  for (const of of ['database', 'uploads']) {
    const { bavail, bsize } = statfsSync(folder);
    const bytes = valueIn(metrics, `punchboard_disk_usable_bytes{of="${of}"}`);
    // Other programs write to the disk too. The reserve of a large disk is 256 MiB.
    expect(Math.abs(bavail * bsize - 2 ** 28 - bytes)).toBeLessThan(2 ** 31);
  }
  const name = 'punchboard_backup_taken_timestamp_seconds';
  expect(valueIn(metrics, name)).toBe(0);
  // Other things in the folder do not count: a file, and a backup that cannot be read.
  const [loop, notes] = ['loop', 'notes.txt'].map((other) => join(folder, 'backups', other));
  mkdirSync(`${loop}`, { recursive: true });
  symlinkSync('manifest.json', join(`${loop}`, 'manifest.json'));
  writeFileSync(`${notes}`, '');
  const before = Date.now() / 1000;
  for (const backup of ['first', 'second']) {
    const result = await run(
      ['backup', join(folder, 'backups', backup), '--files', join(folder, 'data', 'files')],
      folder,
    );
    expect(result.stderr).not.toContain('punchboard:');
    const manifest = readFileSync(join(folder, 'backups', backup, 'manifest.json'), 'utf8');
    const { taken } = JSON.parse(manifest.split('\n')[0] ?? '') as { readonly taken: string };
    expect([backup, valueIn(await scrape(), name)]).toEqual([backup, Date.parse(taken) / 1000]);
  }
  expect(valueIn(await scrape(), name)).toBeGreaterThan(before);
});

test('every metric of the dashboard exists', () => {
  const { panels } = JSON.parse(text('dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const names = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !known().has(name))).toEqual([]);
});

test('null control: a metric that does not exist is noticed', () => {
  expect(metricsIn('rate(punchboard_nothing_total[5m]) > 0').filter((name) => !known().has(name))).toEqual([
    'punchboard_nothing_total',
  ]);
});

test('the version is in the metrics, and printed by --version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  expect(metrics).toContain(`punchboard_build_info{version="${version}",node="${process.versions.node}"} 1`);
  expect(await run(['--version'], folder)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('the containers find each other and the files that are mounted into them', () => {
  const { services, volumes } = parse(text('compose.yaml')) as {
    readonly services: Readonly<Record<string, { readonly volumes: readonly string[] }>>;
    readonly volumes: object;
  };
  const mounts = Object.values(services).flatMap((one) => one.volumes.map((mount) => mount.split(':')));
  expect(mounts.length).toBeGreaterThan(5);
  const isFile = ([source = '']: readonly string[]) => source.startsWith('./');
  expect(mounts.filter((mount) => !isFile(mount)).map(([source]) => source)).toEqual(Object.keys(volumes));
  const paths = mounts.filter(isFile).map(([source = '']) => source);
  expect(paths.filter((path) => text(path) === '')).toEqual([]);
  // The data source has the name of the Prometheus service, and the dashboard is where Grafana looks for dashboards.
  const [source] = (parse(text('grafana.yaml')) as { readonly datasources: readonly { readonly url: string }[] })
    .datasources;
  expect(Object.keys(services)).toContain(new URL(source?.url ?? '').hostname);
  const { providers } = parse(text('grafana-dashboards.yaml')) as {
    readonly providers: readonly { readonly options: { readonly path: string } }[];
  };
  const [, inside = ''] = mounts.find(([path]) => path === './dashboard.json') ?? [];
  expect(providers.map(({ options }) => options.path)).toEqual([dirname(inside)]);
});

test('the variables of the container and of the unit are those of serve', async () => {
  const { stdout } = await run(['serve', '--help'], folder);
  const help = stdout.replace(/\s+/g, ' ');
  const compose = parse(text('compose.yaml')) as {
    readonly services: { readonly punchboard: { readonly environment: Readonly<Record<string, string>> } };
  };
  const unit = [...text('punchboard.service').matchAll(/\b([A-Z]+)=\//g)].map(([, name]) => name ?? '');
  const variables = [...Object.keys(compose.services.punchboard.environment), ...unit];
  expect(variables.length).toBeGreaterThan(4);
  for (const name of variables) expect(help).toContain(`env: ${name}`);
});
