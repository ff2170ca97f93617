// The compose file in runtime/server/README.md, as far as it can be checked without a container engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';
import { registerOperatorCommands } from '../../runtime/admin/cli.js';
import { ROOT } from '../support/paths.js';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
}

const [, text = ''] =
  /^```yaml\n# compose\.yaml\n([\s\S]*?)^```$/m.exec(
    readFileSync(join(ROOT, 'runtime', 'server', 'README.md'), 'utf8'),
  ) ?? [];
const compose = parse(text) as Record<'services' | 'volumes' | 'secrets', Record<string, Service>>;

test('exactly the volumes and secrets in use are declared', () => {
  const services = Object.values(compose.services);
  const volumes = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]));
  expect([...new Set(volumes)].sort()).toEqual(Object.keys(compose.volumes).sort());
  expect(services.flatMap(({ secrets = [] }) => secrets).sort()).toEqual(Object.keys(compose.secrets).sort());
});

test('`serve` reads every variable of the server', () => {
  const program = new Command();
  registerOperatorCommands(program, { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr });
  const known =
    program.commands.find((command) => command.name() === 'serve')?.options.map(({ envVar }) => envVar) ?? [];
  const names = Object.keys(compose.services.server?.environment ?? {});
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !known.includes(name))).toEqual(['DATABASE_URL_FILE']);
});
