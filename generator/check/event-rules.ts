// Rules about the names of events and of the classes that own them: a typo would mean an event nobody can receive.
import { diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import type { RawEvent } from '../language/language.js';
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

/** Without any owner classes nothing is reported: the events may be for a module with its own mechanism. */
const classesHaveResources: Rule = function* ({ events, spec }) {
  const classes = Object.keys(spec.ownerClasses);
  if (events === null || classes.length === 0) return;
  for (const [name, body] of Object.entries((events.value.events ?? {}) as Readonly<Record<string, RawEvent>>)) {
    if (typeof body.owner_class !== 'string' || classes.includes(body.owner_class)) continue;
    const place = events.document.locate(['events', name, 'owner_class']);
    yield diagnostic('W0603', place, { class: body.owner_class }, suggest(body.owner_class, classes));
  }
};

export const EVENT_RULES: RuleTable = {
  'values next to events are events': valuesAreEvents,
  'the owner class of an event has a resource': classesHaveResources,
};
