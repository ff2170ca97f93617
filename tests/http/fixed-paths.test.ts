// The paths and media types against which descriptors are checked are those of the service itself (F44).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXED_PATHS } from '../../generator/check/name-rules.js';
import { MEDIA_TYPES } from '../../generator/language/field-keys.js';
import { inspect } from '../../runtime/files/inspect.js';
import { FILES } from '../properties/world.js';
import { ROOT } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

const service = shared(() => startService({ console: true }));

/** The response for a path: its status and, if it is refused, why. */
async function responseTo(method: string, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const response = await fetch(`${service.address}${path}`, { method, headers });
  const text = await response.text();
  const { detail = '' } = response.ok ? {} : (JSON.parse(text) as { detail?: string });
  return `${response.status} ${detail}`;
}

/** What has to follow those paths that do not answer alone. */
const BELOW = new Map([
  ['/files', '/an-id/a-key'],
  ['/assets', '/style.css'],
]);

test.each(FIXED_PATHS)('F44: the service answers at %s', async (path) => {
  const method = path === '/api/session' ? 'POST' : 'GET';
  const below = BELOW.get(path) ?? '';
  expect(await responseTo(method, `${path}${below}`)).not.toBe(await responseTo(method, `/nowhere${below}`));
});

test('F44: the service answers at no other path of its own', () => {
  const sources = ['runtime/server/app.ts', 'runtime/auth/session-routes.ts', 'runtime/pages/pages.ts'];
  const text = sources.map((path) => readFileSync(join(ROOT, path), 'utf8').replace(/^import .*/gm, '')).join('\n');
  const paths = [...text.matchAll(/'(\/[a-z.]+[^']*)'/g)].map(([, path = '']) => path);
  expect(paths).toContain('/healthz');
  expect(paths.filter((path) => !FIXED_PATHS.some((fixed) => path === fixed || path.startsWith(`${fixed}/`)))).toEqual(
    [],
  );
});

test('F44: descriptors may name the media types that are read from bytes, and no others', () => {
  expect(Object.values(FILES).map((bytes) => inspect(bytes).type)).toEqual(Object.keys(FILES));
  const types = readFileSync(join(ROOT, 'runtime/files/inspect.ts'), 'utf8').matchAll(
    /'((?:image|application)\/[^']+)'/g,
  );
  const read = new Set([...types].map(([, type = '']) => type));
  expect([...MEDIA_TYPES].sort()).toEqual([...read].sort());
  expect(Object.keys(FILES).sort()).toEqual([...read].sort());
});
