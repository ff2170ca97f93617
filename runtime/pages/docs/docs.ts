// The docs pages, composed from the API document: one with its chapters, one for each tag with its operations, and the results
// of a search. A script is needed only to try operations.

import { ServiceError } from '../../contract/errors.js';
import { type ApiDocument, follow, type ListedOperation, operationsOf, type Schema, type Tag } from './document.js';
import { operationView } from './operation.js';
import { propertiesOf, type SchemaSource } from './schema.js';

export interface DocsVersion {
  /** The version that the page describes; null: today's. */
  readonly date: string | null;
  /** All versions that exist. */
  readonly dates: readonly string[];
}

export interface DocsRequest {
  /** Null: the chapters. */
  readonly tag: string | null;
  /** The text to search for; null: none. */
  readonly find: string | null;
  /** The address of this server, as its callers know it. */
  readonly origin: string;
}

/** The most operations that a search shows. */
const MATCHES = 50;

/** @returns a function that composes the values of the template `docs`; it throws not_found if there is no such tag */
export function createDocsView(document: ApiDocument, { date, dates }: DocsVersion): (request: DocsRequest) => object {
  const suffix = date === null ? '' : `?version=${date}`;
  const site: Site = { document, suffix, all: operationsOf(document) };
  const { introduction, chapters } = chaptersOf(document);
  const chapterLinks = chapters.map(({ id, title }) => link(`/docs${suffix}#${id}`, title, false));
  const versions = dates.length === 0 ? [] : versionLinks({ date, dates });
  const shared = { suffix, introduction, chapterLinks, versions, version: document.info.version, date: date ?? '' };
  return ({ tag: name, find, origin }) => {
    const tag = name === null ? null : document.tags.find((one) => one.name === name);
    if (tag === undefined) throw new ServiceError('not_found', 'There is no such page.');
    return {
      ...shared,
      find: find ?? '',
      matches: find === null ? null : matchesOf(site, find),
      groups: groupsOf(site, tag),
      chapters: tag === null && find === null ? chapters : [],
      page: tag === null ? null : tagView(site, tag, origin),
    };
  };
}

interface Site {
  readonly document: ApiDocument;
  /** The end of every link on the pages of a version. */
  readonly suffix: string;
  readonly all: readonly ListedOperation[];
}

function link(href: string, text: string, current: boolean) {
  return { href, text, current };
}

function versionLinks({ date, dates }: DocsVersion) {
  const dated = dates.map((one) => link(`/docs?version=${one}`, one, one === date));
  return [link('/docs', 'newest', date === null), ...dated.reverse()];
}

/** The description of the document, cut at its headings. */
function chaptersOf({ info: { description = '' } }: ApiDocument) {
  const [introduction = '', ...rest] = description.split(/^## /m);
  const chapters = rest.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, id: title.toLowerCase().replaceAll(' ', '-'), text: lines.join('\n') };
  });
  return { introduction, chapters };
}

function groupsOf({ document, suffix }: Site, current: Tag | null) {
  const byName = new Map(document.tags.map((tag) => [tag.name, tag]));
  return document['x-tagGroups'].map(({ name, tags }) => {
    const links = tags.flatMap((one) => {
      const tag = byName.get(one);
      return tag === undefined ? [] : [link(`/docs/${one}${suffix}`, titleOf(tag), tag === current)];
    });
    return { name, links };
  });
}

function titleOf({ name, 'x-displayName': title = name }: Tag): string {
  return title;
}

/** Operations in which every word of the text occurs. */
function matchesOf({ document, suffix, all }: Site, text: string) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const titles = new Map(document.tags.map((tag) => [tag.name, titleOf(tag)]));
  const matches = all.filter(({ method, path, operation }) => {
    const titled = operation.tags.map((name) => titles.get(name)).join(' ');
    const whole = `${method} ${path} ${operation.summary} ${operation.operationId} ${titled}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const shown = words.length === 0 ? [] : matches.slice(0, MATCHES);
  return {
    list: shown.map(({ method, path, operation: { tags, operationId, summary } }) => {
      return { method, path, summary, href: `/docs/${tags[0]}${suffix}#${operationId}` };
    }),
    more: words.length === 0 ? 0 : matches.length - shown.length,
  };
}

function tagView({ document, suffix, all }: Site, tag: Tag, origin: string) {
  const operations = all.filter(({ operation }) => operation.tags.includes(tag.name));
  const elsewhere = new Set(document.tags.map(({ name }) => name).filter((name) => name !== tag.name));
  const source: SchemaSource = {
    document,
    linkTo: (name) => `${elsewhere.has(name) ? `/docs/${name}${suffix}` : ''}#schema-${name}`,
  };
  return {
    title: titleOf(tag),
    description: tag.description ?? '',
    operations: operations.map((one) => operationView(source, one, origin)),
    schemas: schemasOf(document, operations)
      .filter((name) => !elsewhere.has(name))
      .map((name) => schemaView(source, name)),
  };

  /** The schemas of answers, and those that they and bodies consist of; each tag shows the schema of its own name itself. */
  function schemasOf(document: ApiDocument, of: readonly ListedOperation[]): readonly string[] {
    const seen = new Set<string>();
    const visit = (part: unknown): void => {
      for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
        const key = `${kind}/${name}`;
        if (seen.has(key) || (kind === 'schemas' && elsewhere.has(name))) continue;
        seen.add(key);
        visit(document.components[kind]?.[name]);
      }
    };
    for (const { operation } of of) {
      visit(operation.responses);
      for (const { schema = {} } of Object.values(operation.requestBody?.content ?? {}))
        visit(follow(document, schema));
    }
    return [...seen].filter((key) => key.startsWith('schemas/')).map((key) => key.slice('schemas/'.length));
  }
}

function schemaView(source: SchemaSource, name: string) {
  const schema = follow<Schema>(source.document, { $ref: `#/components/schemas/${name}` });
  const [example] = schema.examples ?? [];
  const { title = name, description = '' } = schema;
  return {
    ...{ name, title, description, properties: propertiesOf(source, schema) },
    example: example === undefined ? '' : JSON.stringify(example, null, 2),
  };
}
