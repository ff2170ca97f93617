// Rules about the names of events and of the classes that own them: a typo would mean an event nobody can receive.
import { diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { pascalCase } from '../emit/typescript.js';
import { isPlaced } from './placement-rules.js';
import { eachField, type Rule, type RuleTable } from './rule.js';
import { at } from './subject.js';

/** If one value of a field is an event, the field is assumed to list events. */
const valuesAreEvents = eachField(function* ({ subject, field, pointer }, { spec }) {
  const { values = [] } = field;
  const isEvent = (value: string | number): boolean => spec.events.some((event) => event === value);
  if (!values.some(isEvent)) return;
  for (const [index, value] of values.entries()) {
    if (isEvent(value)) continue;
    const free = spec.events.filter((event) => !values.includes(event));
    const near = suggest(String(value), free);
    yield diagnostic('W0602', at(subject, [...pointer, 'values', index]), { value: String(value) }, near);
  }
});

/** Under `owner_classes` a name that is unknown is reported where it is written. */
const classesHaveResources: Rule = function* ({ events, spec, byName, hazy }) {
  if (events === null) return;
  const named = (events.value.owner_classes ?? {}) as object;
  for (const [name, { owner_class: owner }] of Object.entries(spec.eventBodies)) {
    if (typeof owner !== 'string' || Object.hasOwn(named, owner)) continue;
    const resource = spec.ownerClasses[owner] ?? '';
    if (byName.has(resource) || hazy.has(resource)) continue;
    const place = events.document.locate(['events', name, 'owner_class']);
    const classes = [...Object.keys(named), ...[...byName.keys()].map(pascalCase)];
    yield diagnostic('E0326', place, { class: owner }, suggest(owner, classes));
  }
};

/** An event goes to hooks of the user above its owner. */
const ownersArePlaced: Rule = function* (project) {
  const { events, spec, byName, principal } = project;
  if (events === null || principal === null) return;
  for (const [name, { owner_class: owner }] of Object.entries(spec.eventBodies)) {
    const subject = typeof owner === 'string' ? byName.get(spec.ownerClasses[owner] ?? '') : undefined;
    if (subject === undefined || isPlaced(subject, project)) continue;
    const place = events.document.locate(['events', name, 'owner_class']);
    yield diagnostic('E0507', place, { end: subject.raw.resource });
  }
};

export const EVENT_RULES: RuleTable = {
  'values next to events are events': valuesAreEvents,
  'the owner class of an event has a resource': classesHaveResources,
  'the owner of an event has a placement': ownersArePlaced,
};
