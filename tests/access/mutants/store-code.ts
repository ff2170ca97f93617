// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is looked for holds templates
// Mutants of the code behind writes and rights: every place that refuses, with the refusal taken out.
import { at, type CodeMutant, SQLITE } from './mutant.js';

const SETTERS = {
  validation: at('operations/validate', "parameter.set === 'admin' && !caller.admin", 'false'),
  store: at(
    `${SQLITE}/writes`,
    '...adminOnly(change), ...referenceFailures(change, old)',
    '...referenceFailures(change, old)',
  ),
};

export const writes: readonly CodeMutant[] = [
  {
    name: 'an update takes no right',
    edits: at(`${SQLITE}/writes`, 'editable(definition, records, id, change.caller)', 'records.row(id)'),
  },
  {
    name: 'a deletion takes no right',
    edits: at(
      `${SQLITE}/writes`,
      'const old = editable(definition, records, id, caller)',
      'const old = records.row(id)',
    ),
  },
  {
    name: 'references of a new record are not checked',
    edits: at(`${SQLITE}/writes`, '...referenceFailures(change, null)', ''),
  },
  {
    name: 'references of a changed record are not checked',
    edits: at(`${SQLITE}/writes`, '...referenceFailures(change, old)', ''),
  },
  { name: 'anyone sets what administrators set', edits: [...SETTERS.validation, ...SETTERS.store] },
  { name: 'validation lets anyone set it', edits: SETTERS.validation, equivalent: 'the store refuses it too' },
  { name: 'the store lets anyone set it', edits: SETTERS.store, equivalent: 'validation refuses it before' },
  {
    name: 'a reference takes no right on its target',
    edits: at(`${SQLITE}/reference-checks`, '!change.caller.admin && target.may !== 1', 'false'),
  },
  {
    name: 'existence is all a reference needs',
    edits: at(`${SQLITE}/reference-checks`, "if (need === 'exists')", 'if (true)'),
  },
  {
    name: 'a reference to a hidden record is told from one to none',
    edits: at(
      `${SQLITE}/reference-checks`,
      'definitionOf)(definitions, to).access.hidden',
      'definitionOf)(definitions, to).hidden',
    ),
    equivalent: 'no descriptor refers to a hidden resource',
  },
  {
    name: 'a record moves to another owner',
    edits: at(`${SQLITE}/reference-checks`, '(reference.place || reference.inside) && target.owner !== owner', 'false'),
  },
  {
    name: 'what a record holds is checked again',
    edits: at(`${SQLITE}/reference-checks`, 'row && row[column] === value ? null : value', 'value'),
  },
];

export const rights: readonly CodeMutant[] = [
  {
    name: 'a condition always holds',
    edits: at(`${SQLITE}/access`, 'column(clause.when)} = 1`', 'column(clause.when)} IS NOT NULL`'),
  },
  { name: 'a reference hands on a right nobody checks', edits: at(`${SQLITE}/access`, ', edit]);', ']);') },
  {
    name: 'everybody is a member',
    edits: at(`${SQLITE}/access`, '(clause.user)} = ${asked.user}`,', '(clause.user)} IS NOT NULL`,'),
  },
  {
    name: 'a member of one is a member of all',
    edits: at(`${SQLITE}/access`, '(clause.by)} = ${shared}`', '(clause.by)} IS NOT NULL`'),
  },
  { name: 'the conditions of a membership are not looked at', edits: at(`${SQLITE}/access`, '...fixed,', '') },
  {
    name: 'who bought one thing has bought all',
    edits: at(`${SQLITE}/access`, '}`)}) = ${shared}`', '}`)}) IS NOT NULL`'),
  },
  {
    name: 'whoever is named is the caller',
    edits: at(
      `${SQLITE}/access`,
      'return `${column(clause.user)} = ${asked.user}`',
      'return `${column(clause.user)} IS NOT NULL`',
    ),
  },
  { name: 'every user is the caller', edits: at(`${SQLITE}/access`, "`${column('id')} = ${asked.user}`", "'1'") },
  { name: 'whoever reads edits', edits: at(`${SQLITE}/access`, 'return access.edit;', 'return access.read;') },
  { name: 'any answer is a yes', edits: at(`${SQLITE}/records`, 'if (answer === 1)', 'if (answer !== undefined)') },
  {
    name: 'everybody is an administrator to a right',
    edits: at(`${SQLITE}/records`, "caller.admin ? '@exists'", "true ? '@exists'"),
  },
  {
    name: 'everybody has the right of administrators',
    edits: at(`${SQLITE}/records`, "admin: '0'", "admin: '1'"),
  },
];
