// The schemas of a resource's responses: the record, its brief description, a list of records.

import type { Dates } from '../../../runtime/contract/definition.js';
import type { ResourceLookup } from '../../model/find.js';
import type { JsonSchema, Property, Resource } from '../../model/model.js';
import { includableRelations } from '../../model/promises.js';
import { deprecationKeys } from './deprecations.js';
import { array, component, type Fragment, object, sentences, withNull } from './fragment.js';
import { briefExample, recordExample } from './requests.js';
import { viewSentence } from './rights.js';

/** @returns `<resource>`, `<resource>_list` if it is listed, and `<resource>_brief` if other records describe it */
export function recordSchemas(resource: Resource, others: ResourceLookup): Fragment {
  return {
    [resource.name]: record(resource, others),
    ...(resource.brief.length === 0 ? {} : { [`${resource.name}_brief`]: brief(resource) }),
    [`${resource.name}_list`]: list(resource),
  };
}

/** Names under `_relationships` (D22). */
export function relationshipNames(resource: Resource, others: ResourceLookup): readonly string[] {
  const parents = resource.references.filter(({ related }) => related).map(({ relation }) => relation);
  const uses = resource.upload?.uses === undefined ? [] : [resource.upload.uses];
  return ['self', ...parents, ...others.listsUnder(resource.name).map(({ name }) => name), ...uses];
}

function record(resource: Resource, others: ResourceLookup): Fragment {
  const shown = resource.properties.filter(({ view }) => view !== 'nobody');
  const ofResource = shown.map((property) => [property.name, propertySchema(property, resource, others)]);
  return object(
    { title: resource.title, description: resource.summary },
    { ...Object.fromEntries(ofResource), ...included(resource, others) },
    {
      required: shown.filter(({ view, whenSet }) => view === null && !whenSet).map(({ name }) => name),
      examples: [recordExample(resource, others)],
    },
  );
}

function propertySchema(property: Property, resource: Resource, others: ResourceLookup): JsonSchema {
  return shownSchema(property, sentences(property.description, viewSentence(property.view, resource, others)));
}

function shownSchema({ nullable, schema, deprecation }: Property, description: string): JsonSchema {
  return {
    ...(nullable ? withNull(schema) : schema),
    ...(description === '' ? {} : { description }),
    ...deprecationKeys(deprecation),
  };
}

/** The dates of each deprecated field, by its name. */
export function deprecationOf({ deprecations }: Resource, name: string): Dates | undefined {
  return deprecations.find(({ field }) => field === name);
}

/** The properties that the fetch parameters add. */
function included(resource: Resource, others: ResourceLookup): Fragment {
  const related = includableRelations(resource).map(({ name, to }) => [
    name,
    {
      ...component('schemas', to),
      description:
        'As the caller sees it; included if `_include_related_objects` asks for it and the caller may read it.',
      ...deprecationKeys(deprecationOf(resource, name)),
    },
  ]);
  const names = relationshipNames(resource, others).map((name) => `\`${name}\``);
  const description = `Included if \`_include_relationships\` asks for it: ${names.join(', ')}.`;
  return {
    ...Object.fromEntries(related),
    _relationships: { ...component('schemas', '_relationships'), description },
  };
}

function brief(resource: Resource): Fragment {
  const shown = resource.brief.flatMap((name) => resource.properties.filter((property) => property.name === name));
  return object(
    { title: `${resource.title}, briefly`, description: 'The short form shown in other records.' },
    Object.fromEntries(shown.map((property) => [property.name, shownSchema(property, property.description)])),
    { examples: [briefExample(resource)] },
  );
}

/** The envelope of a list (D23). */
function list(resource: Resource): Fragment {
  return object(
    { title: `${resource.title}: a page of a list` },
    {
      paging: component('schemas', '_paging'),
      items: array(component('schemas', resource.name), 'Records on the page.'),
    },
  );
}
