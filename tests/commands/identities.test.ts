// `identities` is short for a field: every command shows the same for both ways of writing it.

import type { SpecSource } from '../../generator/check/project.js';
import type { CleanSpec } from '../../generator/commands/command.js';
import { explainName } from '../../generator/commands/explain/name.js';
import { openSpecContext, partOf, subjectOf } from '../../generator/commands/explain/spec-context.js';
import { graph } from '../../generator/commands/graph.js';
import { list } from '../../generator/commands/list.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { openapiText } from '../../generator/emit/openapi/document.js';
import { parseAcceptances } from '../../generator/impact/accepted.js';
import { impact } from '../../generator/impact/impact.js';
import { filesOf } from './example.js';

const SHORT = 'identities: [Small, Large]\ndefault_identity: Large\nfields:\n';
const LONG =
  'fields:\n  identity: { kind: enum, values: [Small, Large], default: Large, filter: true, ' +
  "description: 'Product, chosen from a fixed list.' }\n";

function sourceOf(identity: string): SpecSource {
  const text = `# spec/resources/box.yaml
resource: box
title: Box
summary: A box.
plural: boxes
${identity}  name: { kind: text, required: true }
# spec/resources/label.yaml
resource: label
title: Label
summary: Names a box.
plural: labels
fields:
  box: { kind: reference, to: box, required: true }
  product: { kind: computed, copy: box.identity }
`;
  return { files: filesOf(text), ledger: null };
}

function compiled(source: SpecSource): CleanSpec {
  const spec = compileSpec(source);
  if (!spec.ok) throw new Error(spec.diagnostics.map(({ message }) => message).join('\n'));
  return spec;
}

function contextOf(identity: string) {
  const source = sourceOf(identity);
  return openSpecContext(compiled(source), source, { kit: '../runtime/contract/kit.js', pathOf: (path) => path });
}

describe('F42: a default identity other than the first is described the same as a field written out', () => {
  const [short, long] = [contextOf(SHORT), contextOf(LONG)];

  test('list', () => {
    expect(list(short.spec, 'box').stdout).toContain('\nidentity  enum  2 values  Large    anyone\n');
    expect(list(short.spec, 'box')).toEqual(list(long.spec, 'box'));
    expect(list(short.spec, undefined)).toEqual(list(long.spec, undefined));
  });

  test('graph', () => expect(graph(short.spec, true)).toBe(graph(long.spec, true)));

  test('explain', () => {
    const fieldOf = (context: typeof short) => partOf(context, subjectOf(context, 'box').raw, 'identity');
    expect(fieldOf(short).parameters).toMatchObject([{ name: 'identity', schema: { default: 'Large' } }]);
    expect(fieldOf(short)).toEqual(fieldOf(long));
    expect(explainName(short, 'box.identity')).toMatchObject({ text: expect.stringContaining('identities') });
  });

  test('impact', () => {
    const surroundings = { today: '2026-06-01', acceptances: parseAcceptances(null), uses: null, count: null };
    const to = compiled({ ...sourceOf(LONG), ledger: short.ledger });
    expect(impact(short.model, to.model, surroundings).findings).toEqual([]);
  });

  test('API document', () => {
    expect(openapiText(short.model)).toContain('"Large"');
    expect(openapiText(short.model)).toBe(openapiText(long.model));
  });
});
