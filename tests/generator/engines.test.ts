// The engines that conventions.yaml names: what Citus refuses is reported if Citus is among them, and only then.
import { compileSpec } from '../../generator/compile-spec.js';
import { readCases } from './case-file.js';
import { diagnose, projectFiles } from './project-files.js';

const CONVENTIONS = 'spec/conventions.yaml';
const refusedByCitus = readCases().find(({ name }) => name === 'E0517');

/** The codes that check reports for this case with the given line of engines. */
function codesWith(engines: string): readonly string[] {
  const files = (refusedByCitus?.files ?? []).map(({ path, text }) => ({
    path,
    text: path === CONVENTIONS ? text.replace(/^engines: .*$/m, engines) : text,
  }));
  return diagnose(files).map(({ code }) => code);
}

test.each(['', 'engines: [sqlite]', 'engines: [postgres]', 'engines: [sqlite, postgres]'])(
  'without Citus nothing is refused: %j',
  (engines) => expect(codesWith(engines)).toEqual([]),
);

test.each(['engines: [citus]', 'engines: [postgres, citus]', 'engines: [sqlite, postgres, citus]'])(
  'with Citus each place is reported: %s',
  (engines) => expect(codesWith(engines)).toEqual((refusedByCitus?.marks ?? []).map(() => 'E0517')),
);

test.each([
  ['engines: [sqlite, mysql]', 'E0203'],
  ['engines: []', 'E0207'],
  ['engines: [citus, citus]', 'E0208'],
])('engines are a list of known names: %s', (engines, code) => expect(codesWith(engines)).toContain(code));

test('this project runs on all engines', () => {
  expect(compileSpec({ files: projectFiles(), ledger: null }).spec.engines).toEqual(['sqlite', 'postgres', 'citus']);
});
