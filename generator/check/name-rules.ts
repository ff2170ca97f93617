// Rules about names: of resources, of their files, and of fields in the API.
import { diagnostic } from '../diagnostics/diagnostic.js';
import { NAME_FORM } from '../language/keywords.js';
import { nameOf } from '../language/normalize.js';
import { kindOf } from '../model/kinds/kinds.js';
import { type Claim, claims, NO_IDENTIFIERS, OWN_RESOURCES, RESERVED, TYPES } from './claims.js';
import { each, type Rule, type RuleTable } from './rule.js';
import { at, isPruned, placeOfValue } from './subject.js';

const namedAfterFile = each(function* (subject) {
  const { resource } = subject.raw;
  const file = nameOf(subject.document.path);
  if (!subject.document.has(['resource']) && !/^[a-z][a-z0-9]{0,59}$/.test(file)) {
    yield diagnostic('E0209', at(subject, []), { name: JSON.stringify(file), where: ' of the file', form: NAME_FORM });
  }
  if (resource === file || isPruned(subject, 'resource')) return;
  yield diagnostic('E0301', at(subject, ['resource']), { resource, file: subject.document.path });
});

const describedOnce: Rule = function* (project) {
  for (const subject of project.subjects) {
    const first = project.byName.get(subject.raw.resource);
    if (first === undefined || first === subject) continue;
    const holes = { resource: subject.raw.resource, other: first.document.path };
    yield diagnostic('E0302', at(subject, ['resource']), holes);
  }
};

const namesAreTakenOnce = each(function* (subject) {
  const { identities, fields = {} } = subject.merged;
  if (identities !== undefined && Object.hasOwn(fields as object, 'identity')) {
    yield diagnostic('E0306', at(subject, ['fields', 'identity'], 'key'), { name: 'identity', other: '"identities"' });
  }
  const taken = new Map<string, Claim>();
  for (const claim of claims(subject.raw)) {
    const key = `${claim.role} ${claim.name}`;
    const other = taken.get(key) ?? taken.get(`${claim.role === 'property' ? 'parameter' : 'property'} ${claim.name}`);
    const clash = other !== undefined && (other.owner !== claim.owner || other.role === claim.role);
    if (clash) {
      const holes = { name: claim.name, other: `"${other.owner}"` };
      yield diagnostic('E0306', at(subject, claim.pointer, 'key'), holes);
    } else taken.set(key, claim);
  }
});

const ignoredAreNoParameters = each(function* (subject) {
  const parameters = new Map(
    claims(subject.raw)
      .filter(({ role }) => role === 'parameter')
      .map((claim) => [claim.name, claim.owner]),
  );
  for (const [index, name] of (subject.raw.ignores ?? []).entries()) {
    const owner = parameters.get(name);
    if (owner === undefined) continue;
    yield diagnostic('E0306', at(subject, ['ignores', index]), { name, other: `"${owner}"` });
  }
});

const reservedNamesAreLeft = each(function* (subject) {
  for (const { name, pointer } of claims(subject.raw)) {
    const reason = RESERVED.get(name);
    if (reason !== undefined) yield diagnostic('E0307', at(subject, pointer, 'key'), { name, reason });
  }
});

const oldNamesArePaths = each(function* (subject) {
  const { old_names: names = [], fields } = subject.raw;
  const { old_names: written } = subject.merged;
  if (written === 'identities' && !fields.has('identity') && !isPruned(subject, 'identities')) {
    yield diagnostic('E0404', at(subject, ['old_names']), { key: 'old_names: identities' });
  }
  for (const { name, identity } of names) {
    if (identity === null || /^[a-z][a-z0-9]{0,59}$/.test(name)) continue;
    const holes = { value: identity, what: 'a path', name };
    yield diagnostic('E0322', placeOfValue(subject, 'identity', identity), holes);
  }
});

const resourcesAreIdentifiers = each(function* (subject) {
  const { resource: name } = subject.raw;
  if (isPruned(subject, 'resource')) return;
  const reason = OWN_RESOURCES.has(name)
    ? 'the service defines it itself'
    : 'generated code cannot use it as an identifier';
  if (!NO_IDENTIFIERS.has(name) && !OWN_RESOURCES.has(name)) return;
  yield diagnostic('E0307', at(subject, ['resource']), { name, reason });
});

const actionsAreNoTypes = each(function* (subject) {
  for (const name of subject.raw.actions.keys()) {
    if (!TYPES.has(name)) continue;
    const reason = RESERVED.get(name) ?? 'a generated type has this name';
    yield diagnostic('E0307', at(subject, ['actions', name], 'key'), { name, reason });
  }
});

/** `top` means top_id and has_proofed_top. A synonym of it does too, so it must not contain the prefix or suffix itself. */
const synonymsAreBaseNames = each(function* (subject) {
  for (const [name, field] of subject.raw.fields) {
    for (const [index, synonym] of (field.synonyms ?? []).entries()) {
      if (kindOf(field).accepted(synonym, field).includes(synonym)) continue;
      const base = synonym.replace(/^has_proofed_/, '').replace(/_id$/, '');
      if (base === synonym) continue;
      yield diagnostic('E0321', at(subject, ['fields', name, 'synonyms', index]), { kind: field.kind, synonym }, base);
    }
  }
});

/** Both are sent as parts of one form. */
const partIsNoParameter = each(function* (subject) {
  const { upload } = subject.raw;
  const other = claims(subject.raw).find(({ name, role }) => role === 'parameter' && name === upload?.part);
  if (upload === undefined || other === undefined) return;
  yield diagnostic('E0306', at(subject, ['upload', 'part']), { name: upload.part, other: `"${other.owner}"` });
});

const rightsAreNoReservedNames = each(function* (subject) {
  const reason = subject.raw.access.rights.has('constructor') ? RESERVED.get('constructor') : undefined;
  if (reason === undefined) return;
  yield diagnostic('E0307', at(subject, ['access', 'constructor'], 'key'), { name: 'constructor', reason });
});

export const NAME_RULES: RuleTable = {
  'a file is named after its resource': namedAfterFile,
  'a resource is described once': describedOnce,
  'a name in the API comes from one field': namesAreTakenOnce,
  'an ignored parameter is not a declared one': ignoredAreNoParameters,
  'reserved names are not used': reservedNamesAreLeft,
  'a synonym of an image or file is a base name': synonymsAreBaseNames,
  'the part of an upload is not a parameter': partIsNoParameter,
  'the name of a resource is neither a TypeScript keyword nor a resource of the service': resourcesAreIdentifiers,
  'a right does not have a reserved name': rightsAreNoReservedNames,
  'an old name can be part of a path': oldNamesArePaths,
  'an action is not named like a generated type': actionsAreNoTypes,
};
