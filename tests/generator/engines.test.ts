// The engines that conventions.yaml names: what Citus refuses is reported where it is named, and nowhere else.
import { compileSpec } from '../../generator/compile-spec.js';
import { readCases } from './case-file.js';
import { diagnose, projectFiles } from './project-files.js';

const CONVENTIONS = 'spec/conventions.yaml';
const slip = readCases().find(({ name }) => name === 'E0517');

/** What check says of that case with this line in place of its own. */
function said(engines: string): readonly string[] {
  const files = (slip?.files ?? []).map(({ path, text }) => ({
    path,
    text: path === CONVENTIONS ? text.replace(/^engines: .*$/m, engines) : text,
  }));
  return diagnose(files).map(({ code }) => code);
}

test.each(['', 'engines: [sqlite]', 'engines: [postgres]', 'engines: [sqlite, postgres]'])(
  'without Citus nothing is refused: "%s"',
  (engines) => expect(said(engines)).toEqual([]),
);

test.each(['engines: [citus]', 'engines: [postgres, citus]', 'engines: [sqlite, postgres, citus]'])(
  'with Citus each place is reported: %s',
  (engines) => expect(said(engines)).toEqual((slip?.marks ?? []).map(() => 'E0517')),
);

test.each([
  ['engines: [sqlite, mysql]', 'E0203'],
  ['engines: []', 'E0207'],
  ['engines: [citus, citus]', 'E0208'],
])('engines are a list of known names: %s', (engines, code) => expect(said(engines)).toContain(code));

test('this project runs on all', () => {
  expect(compileSpec({ files: projectFiles(), ledger: null }).spec.engines).toEqual(['sqlite', 'postgres', 'citus']);
});
