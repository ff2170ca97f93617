// Slips that no caller can tell from the project, and why: rules that bring two ways of saying the same to one.
import type { Facts, FieldFacts, ProjectFacts } from '../../generator/facts.js';
import { policyOf, propertiesOf } from '../properties/reading.js';
import { clausesOf } from '../properties/rights.js';

interface Rule {
  readonly why: string;
  /** The facts of a resource, said in the one way. */
  same(facts: Facts, project: ProjectFacts): Facts;
}

const RULES: readonly Rule[] = [
  {
    why: 'without a session nobody holds the right that is asked for next',
    same: (facts) => ({ ...facts, operations: withoutAnyone(facts) }),
  },
  {
    why: 'the target has no right named use, so that to use is to edit',
    same: (facts, project) =>
      eachField(facts, (field) =>
        field.need === 'use' && !hasUse(project, field.to) ? { ...field, need: 'edit' } : field,
      ),
  },
  {
    why: 'whoever edits holds the right anyway',
    same: (facts) => ({ ...facts, access: withoutEditors(facts) }),
  },
  {
    why: 'a reference that gives the place already holds one owner together',
    same: (facts) =>
      eachField(facts, ({ inside, ...field }) => (field.place || inside === undefined ? field : { ...field, inside })),
  },
  {
    why: 'everybody may read it, so that there is nothing to hide',
    same: ({ hidden, ...facts }) =>
      hidden === undefined || clausesOf(facts.access, 'read').includes('anyone') ? facts : { ...facts, hidden },
  },
  {
    why: 'nothing hangs on the right to edit it: no update, no deletion, no view, no reference',
    same: (facts, project) =>
      isEditIdle(facts, project) ? { ...facts, access: { ...facts.access, edit: [] } } : facts,
  },
  {
    why: 'administrators alone make it, and nobody changes it',
    same: (facts) =>
      policyOf(facts, 'create') === 'admin' && policyOf(facts, 'update') === null
        ? eachField(facts, ({ set: _, ...field }) => field)
        : facts,
  },
  {
    why: 'no list takes the plural',
    same: (facts) => (Object.values(facts.fields).some(({ list }) => list === true) ? facts : { ...facts, plural: '' }),
  },
  {
    why: 'no caller sends it',
    same: (facts) =>
      eachField(facts, ({ min, max, ...field }) =>
        field.read_only || field.from !== undefined ? field : { ...field, ...limits(min, max) },
      ),
  },
  {
    why: 'no two secrets are the same anyway',
    same: (facts) =>
      eachField(facts, ({ unique, ...field }) =>
        field.from === 'random' || unique === undefined ? field : { ...field, unique },
      ),
  },
  {
    why: 'nobody sees it',
    same: (facts) =>
      eachField(facts, ({ shown_as, ...field }) =>
        field.view === 'nobody' || shown_as === undefined ? field : { ...field, shown_as },
      ),
  },
  {
    why: 'what is required has no need of a default',
    same: (facts) =>
      eachField(facts, ({ default: said, ...field }) =>
        field.required || said === undefined ? field : { ...field, default: said },
      ),
  },
  {
    why: 'a boolean is false anyway',
    same: (facts) =>
      eachField(facts, (field) => (field.kind === 'boolean' ? { ...field, default: field.default ?? false } : field)),
  },
  {
    why: 'whoever reads it may edit it',
    same: (facts) =>
      text(sortedTexts(facts, 'read')) === text(sortedTexts(facts, 'edit'))
        ? eachField(facts, ({ view, ...field }) =>
            isUnsorted(field) && (view === 'editor' || view === undefined)
              ? { ...field, view: 'editor' }
              : { ...field, ...(view === undefined ? {} : { view }) },
          )
        : facts,
  },
];

/** Names of single slips, where the reason hangs on a value. */
const NAMED: Readonly<Record<string, string>> = {
  'receipt: items schema items/properties/price_each without maxLength': 'its pattern ends at 13 characters too',
  'receipt: items schema items/properties/price_each maxLength by 1': 'its pattern ends at 13 characters too',
};

/** Why nobody can tell the two specs apart; null: somebody should. */
export function equivalence(name: string, before: ProjectFacts, after: ProjectFacts): string | null {
  if (NAMED[name] !== undefined) return NAMED[name];
  const used = RULES.filter(
    (rule) => text(said(before, [rule])) !== text(before) || text(said(after, [rule])) !== text(after),
  );
  if (text(said(before, RULES)) !== text(said(after, RULES))) return null;
  const alone = used.find((rule) => text(said(before, [rule])) === text(said(after, [rule])));
  return alone?.why ?? used.map(({ why }) => why).join('; ');
}

function said(project: ProjectFacts, rules: readonly Rule[]): ProjectFacts {
  const resources = project.resources.map((facts) => rules.reduce((one, rule) => rule.same(one, project), facts));
  return { ...project, resources };
}

function withoutAnyone(facts: Facts): NonNullable<Facts['operations']> {
  const policies = (['create', 'fetch', 'update', 'delete'] as const).map((operation) => {
    const written = facts.operations?.[operation];
    const policy = policyOf(facts, operation);
    const right = operation === 'fetch' ? 'read' : 'edit';
    const open = operation === 'create' || facts.hidden || isOpen(facts, right);
    const one = policy === 'anyone' && !open ? 'session' : policy;
    return [operation, typeof written === 'object' ? written : (one ?? false)] as const;
  });
  return Object.fromEntries(policies);
}

/** Whether somebody without a session can hold the right; a boolean field or another resource may say so. */
function isOpen({ access, fields }: Facts, right: string, path: readonly string[] = []): boolean {
  if (path.includes(right)) return false;
  return clausesOf(access, right).some((clause) => {
    if (typeof clause !== 'string' || clause === 'self') return false;
    if (clause === 'anyone' || fields[clause]?.kind === 'boolean') return true;
    return (
      fields[clause] === undefined &&
      isOpen({ access, fields } as Facts, clause === 'editor' ? 'edit' : clause, [...path, right])
    );
  });
}

function withoutEditors({ access }: Facts): Facts['access'] {
  const edit = clausesOf(access, 'edit').map(text);
  const rights = Object.entries(access).map(([right, clauses]) => {
    const others = clauses.filter((clause) => clause !== 'editor');
    return [right, edit.every((clause) => others.map(text).includes(clause)) ? others : clauses] as const;
  });
  return Object.fromEntries(rights);
}

function isEditIdle(facts: Facts, { resources }: ProjectFacts): boolean {
  const { resource, access, actions } = facts;
  const offered = policyOf(facts, 'update') !== null || policyOf(facts, 'delete') !== null;
  const viewed = propertiesOf(facts).some(({ view }) => view === 'editor') || text(access).includes('"editor"');
  const acted = Object.values(actions).some(({ by }) => by === 'editor');
  const named = resources.some(({ fields }) => Object.values(fields).some(({ to }) => to === resource));
  return !offered && !viewed && !acted && !named;
}

function limits(min: number | undefined, max: number | undefined): Partial<FieldFacts> {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function sortedTexts({ access }: Facts, right: string): readonly string[] {
  return clausesOf(access, right).map(text).sort();
}

/** What a list cannot be ordered by, whoever sees it. */
function isUnsorted({ kind }: Pick<FieldFacts, 'kind'>): boolean {
  return ['reference', 'computed', 'json', 'image', 'file'].includes(kind);
}

function hasUse({ resources }: ProjectFacts, name: string | undefined): boolean {
  return resources.find(({ resource }) => resource === name)?.access.use !== undefined;
}

function eachField(facts: Facts, change: (field: FieldFacts) => FieldFacts): Facts {
  return {
    ...facts,
    fields: Object.fromEntries(Object.entries(facts.fields).map(([name, field]) => [name, change(field)])),
  };
}

/** The same text whatever order keys are in; fields keep theirs, in which they are shown. */
function text(value: unknown): string {
  return JSON.stringify(value, (key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && key !== 'fields'
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
