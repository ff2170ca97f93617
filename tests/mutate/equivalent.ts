// Slips that no caller can detect, with the reason: rules that normalize facts with the same meaning.
import type { Facts, FieldFacts, ProjectFacts } from '../properties/facts.js';
import { isUpload, listsOf, policyOf, propertiesOf, wantsAll } from '../properties/reading.js';
import { clausesOf } from '../properties/rights.js';

interface Rule {
  readonly why: string;
  /** The facts of a resource in normalized form. */
  normalize(facts: Facts, project: ProjectFacts): Facts;
}

const RULES: readonly Rule[] = [
  {
    why: 'the target has no right named use, so that to use is to edit',
    normalize: (facts, project) =>
      eachField(facts, (field) => {
        const { kind, to, place } = field;
        const need = kind === 'reference' ? (field.need ?? (place ? 'edit' : 'use')) : undefined;
        return need === 'use' && !hasUse(project, to) ? { ...field, need: 'edit' } : need ? { ...field, need } : field;
      }),
  },
  {
    why: 'everyone who may read the target may edit it',
    normalize: (facts, { resources }) =>
      eachField(facts, (field) => {
        const target = resources.find(({ resource }) => resource === field.to);
        const isSame = target !== undefined && readersEdit(target);
        return isSame && field.need === 'read' ? { ...field, need: 'edit' } : field;
      }),
  },
  {
    why: 'whoever edits holds the right anyway',
    normalize: (facts) => ({ ...facts, access: withoutEditors(facts) }),
  },
  {
    why: 'the right names them already',
    normalize: (facts) => ({ ...facts, access: withoutRepeats(facts) }),
  },
  {
    why: 'administrators alone edit it',
    normalize: (facts) => (clausesOf(facts.access, 'edit').length > 0 ? facts : byAdministrators(facts)),
  },
  {
    why: 'no list shows it, so that there is nothing to filter',
    normalize: (facts) => (listsOf(facts).length > 0 ? facts : eachField(facts, ({ filter: _, ...field }) => field)),
  },
  {
    why: 'only operators find by it, whose pages tests/console reads',
    normalize: (facts) => eachField(facts, ({ find: _, ...field }) => field),
  },
  {
    why: 'no other multiple of the step is between the limits',
    normalize: (facts) =>
      eachField(facts, ({ min, max, ...field }) => {
        const { step = 1 } = field;
        return {
          ...field,
          ...(min === undefined ? {} : { min: field.kind === 'integer' ? Math.ceil(min / step) * step + 0 : min }),
          ...(max === undefined ? {} : { max: field.kind === 'integer' ? Math.floor(max / step) * step : max }),
        };
      }),
  },
  {
    why: 'a reference that gives the place already holds one owner together',
    normalize: (facts) =>
      eachField(facts, ({ inside, ...field }) => (field.place || inside === undefined ? field : { ...field, inside })),
  },
  {
    why: 'anyone may read it, so that there is nothing to hide',
    normalize: ({ hidden, ...facts }) =>
      hidden === undefined || clausesOf(facts.access, 'read').includes('anyone') ? facts : { ...facts, hidden },
  },
  {
    why: 'nothing hangs on the right to edit it: no update, no deletion, no view, no reference',
    normalize: (facts, project) =>
      isEditIdle(facts, project) ? { ...facts, access: { ...facts.access, edit: [] } } : facts,
  },
  {
    why: 'only administrators create and change it',
    normalize: (facts) =>
      policyOf(facts, 'create') === 'admin' && [null, 'admin'].includes(policyOf(facts, 'update'))
        ? eachField(facts, ({ set: _, need: __, ...field }) => field)
        : facts,
  },
  {
    why: 'no list takes the plural; it is a word in sentences for people',
    normalize: (facts) =>
      Object.values(facts.fields).some(({ list }) => list === true) ? facts : { ...facts, plural: '' },
  },
  {
    why: 'what the service fills in is a text of one form, or no less than 0',
    normalize: (facts) =>
      eachField(facts, (field) => ([undefined, 'upload.name'].includes(field.from) ? field : withoutLimits(field))),
  },
  {
    why: 'no two secrets are the same anyway',
    normalize: (facts) =>
      eachField(facts, ({ unique, ...field }) =>
        field.from === 'random' || unique === undefined ? field : { ...field, unique },
      ),
  },
  {
    why: 'nobody sees it',
    normalize: (facts) =>
      eachField(facts, ({ shown_as, ...field }) =>
        field.view === 'nobody' || shown_as === undefined ? field : { ...field, shown_as },
      ),
  },
  {
    why: 'what is required has no need of a default',
    normalize: (facts) =>
      eachField(facts, ({ default: fallback, ...field }) =>
        // Where an update requires every parameter, those with a default are optional.
        (field.required && !wantsAll(facts)) || fallback === undefined ? field : { ...field, default: fallback },
      ),
  },
  {
    why: 'a boolean is false anyway',
    normalize: (facts) =>
      eachField(facts, (field) => (field.kind === 'boolean' ? { ...field, default: field.default ?? false } : field)),
  },
  {
    why: 'whoever reads it may edit it',
    normalize: (facts) =>
      readersEdit(facts)
        ? eachField(facts, ({ view, ...field }) =>
            isUnsorted(field) && (view === 'editor' || view === undefined)
              ? { ...field, view: 'editor' }
              : { ...field, ...(view === undefined ? {} : { view }) },
          )
        : facts,
  },
];

/** Single slips by name, where the reason depends on a value. */
const NAMED: Readonly<Record<string, string>> = {
  'webhook: failures_since_last_success min: -1': 'it counts up from 0',
  'webhook: failures_since_last_success no min': 'it counts up from 0',
  'webhook: failures_since_last_success max: 1000': 'at 1000 the hook deletes itself (S9)',
  'receipt: items schema items/properties/price_each without maxLength': 'its pattern ends at 13 characters too',
  'receipt: items schema items/properties/price_each maxLength by 1': 'its pattern ends at 13 characters too',
};

/** Why nobody can distinguish the two specs; null if somebody should. */
export function equivalence(name: string, before: ProjectFacts, after: ProjectFacts): string | null {
  if (NAMED[name] !== undefined) return NAMED[name];
  const used = RULES.filter(
    (rule) => text(normalized(before, [rule])) !== text(before) || text(normalized(after, [rule])) !== text(after),
  );
  if (text(normalized(before, RULES)) !== text(normalized(after, RULES))) return null;
  const alone = used.find((rule) => text(normalized(before, [rule])) === text(normalized(after, [rule])));
  return alone?.why ?? used.map(({ why }) => why).join('; ');
}

function normalized(project: ProjectFacts, rules: readonly Rule[]): ProjectFacts {
  const resources = project.resources.map((facts) => rules.reduce((one, rule) => rule.normalize(one, project), facts));
  return { ...project, resources };
}

function withoutEditors({ access }: Facts): Facts['access'] {
  const edit = clausesOf(access, 'edit').map(text);
  const rights = Object.entries(access).map(([right, clauses]) => {
    const others = clauses.filter((clause) => clause !== 'editor');
    return [right, edit.every((clause) => others.map(text).includes(clause)) ? others : clauses] as const;
  });
  return Object.fromEntries(rights);
}

function withoutRepeats({ access }: Facts): Facts['access'] {
  const rights = Object.entries(access).map(([right, clauses]) => {
    const texts = clauses.map(text);
    return [right, clauses.filter((_, at) => texts.indexOf(texts[at] ?? '') === at)] as const;
  });
  return Object.fromEntries(rights);
}

function byAdministrators(facts: Facts): Facts {
  const actions = Object.entries(facts.actions).map(
    ([name, action]) => [name, action.by === 'editor' ? { ...action, by: 'admin' } : action] as const,
  );
  return { ...facts, actions: Object.fromEntries(actions) };
}

function isEditIdle(facts: Facts, project: ProjectFacts): boolean {
  const { access, actions } = facts;
  const offered = policyOf(facts, 'update') !== null || policyOf(facts, 'delete') !== null;
  const viewed = propertiesOf(facts).some(({ view }) => view === 'editor') || text(access).includes('"editor"');
  const hasEditorAction = Object.values(actions).some(({ by }) => by === 'editor');
  return !offered && !viewed && !hasEditorAction && !isNamed(facts, project);
}

/** Whether any reference can point to a record of the resource. */
function isNamed({ resource, upload }: Facts, { resources }: ProjectFacts): boolean {
  const names = (field: FieldFacts) => field.to === resource || (upload !== undefined && isUpload(field));
  return resources.some(({ fields }) => Object.values(fields).some(names));
}

/** Types, hashes and secrets have 3 to 150 characters; a size can be any number from 0. */
function withoutLimits({ min, max, ...field }: FieldFacts): FieldFacts {
  const least = min === undefined || min <= (field.kind === 'integer' ? 0 : 3);
  const most = max === undefined || (field.kind !== 'integer' && max >= 150);
  return { ...field, ...(least ? {} : { min }), ...(most ? {} : { max }) };
}

function readersEdit(facts: Facts): boolean {
  return text(sortedTexts(facts, 'read')) === text(sortedTexts(facts, 'edit'));
}

function sortedTexts({ access }: Facts, right: string): readonly string[] {
  return clausesOf(access, right).map(text).sort();
}

/** Kinds that lists cannot be ordered by, whoever may see them. */
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

/** The same text for any order of keys; fields keep their order, since they are shown in it. */
function text(value: unknown): string {
  return JSON.stringify(value, (key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && key !== 'fields'
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
