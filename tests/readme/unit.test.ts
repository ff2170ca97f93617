// The systemd unit: what it forbids the service, and how systemd rates it where its tools are installed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const UNIT = join(ROOT, 'runtime', 'server', 'deploy', 'punchboard.service');
const lines = readFileSync(UNIT, 'utf8').split('\n');
const valuesOf = (name: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  CapabilityBoundingSet: [''],
  DynamicUser: ['yes'],
  NoNewPrivileges: ['yes'],
  PrivateDevices: ['yes'],
  PrivateTmp: ['yes'],
  PrivateUsers: ['yes'],
  ProtectHome: ['yes'],
  ProtectKernelModules: ['yes'],
  ProtectKernelTunables: ['yes'],
  ProtectSystem: ['strict'],
  RestrictAddressFamilies: ['AF_INET AF_INET6 AF_NETLINK AF_UNIX'],
  RestrictNamespaces: ['yes'],
  StateDirectory: ['punchboard'],
  SystemCallArchitectures: ['native'],
  SystemCallFilter: ['@system-service', '~@privileged @resources'],
  UMask: ['0077'],
  // Node compiles at run time, and callbacks go to any public address.
  MemoryDenyWriteExecute: [],
  IPAddressDeny: [],
  PrivateNetwork: [],
};

test.each(Object.entries(SETTINGS))('%s', (name, values) => expect(valuesOf(name)).toEqual(values));

test('the data folder is the only place that it can write to', () => {
  const [environment = ''] = valuesOf('Environment');
  expect(environment.match(/=\/\S+/g)).toEqual(['=/var/lib/punchboard/punchboard.db', '=/var/lib/punchboard/files']);
});

const { stdout, status } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', UNIT], {
  encoding: 'utf8',
});
// Only version 250 and later reads a file.
(status === null || !stdout.includes('Overall') ? test.skip : test)('systemd-analyze rates it below 4', () => {
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(4);
});
