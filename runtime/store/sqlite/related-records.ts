// Reads a record together with related records, in one statement for each kind of viewer (D21, D22).

import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { VERSION } from '../../schema/version.js';
import type { RelatedRecord, RequestedRelations } from '../records.js';
import { relationsOf } from '../relations.js';
import { definitionOf } from '../sql/access.js';
import { rowsOf } from '../sql/rows.js';
import { type RecordComposer, VIEWERS, type Viewer, type ViewerName, visibility } from '../sql/viewers.js';
import { recordStatement } from './record-text.js';

export interface RecordWithRelated {
  /** Null: the viewer may not read the record. */
  readonly text: string | null;
  readonly version: number;
  readonly objects: readonly RelatedRecord[];
  readonly links: Readonly<Record<string, string>>;
}

export interface Reader {
  readonly viewer: ViewerName;
  readonly user: string | null;
}

/** Undefined: there is no such record. */
export type ReadRelated = (id: string, reader: Reader, want: RequestedRelations) => RecordWithRelated | undefined;

type BoundValues = Record<string, string | number | null>;

export function createReadRelated(
  db: Database.Database,
  composing: RecordComposer,
  definition: AnyDefinition,
): ReadRelated {
  const relations = relationsOf(definition);
  const statements = memoize((viewer: ViewerName) =>
    db.prepare<BoundValues, (string | null)[]>(relatedStatement(composing, definition, VIEWERS[viewer])).raw(),
  );
  return (id, { viewer, user }, { objects, links }) => {
    const bound: BoundValues = { id, user, links: links ? 1 : 0 };
    for (const [at, { name }] of relations.entries()) bound[`wanted${at}`] = objects.includes(name) ? 1 : 0;
    const row = statements(viewer).get(bound);
    if (row === undefined) return undefined;
    const [text = null, version, ...others] = row;
    const [texts, ids] = [others.slice(0, relations.length), others.slice(relations.length)];
    return {
      text,
      version: Number(version),
      objects: relations.flatMap(({ name }, at) => present(texts[at]).map((text) => ({ name, text }))),
      links: Object.fromEntries(relations.flatMap(({ name }, at) => present(ids[at]).map((link) => [name, link]))),
    };
  };
}

function present(value: string | null | undefined): readonly string[] {
  return value === null || value === undefined ? [] : [value];
}

/** One row: the text and the version of the record, the texts of the wanted objects, and the links. */
function relatedStatement(composing: RecordComposer, definition: AnyDefinition, viewer: Viewer): string {
  const relations = relationsOf(definition);
  const shown = relations.map(({ view }) => visibility(composing, definition, viewer, { view, alias: BASE }));
  const objects = relations.map(({ to, column }, at) => {
    const target = definitionOf(composing.definitions, to);
    const object = recordStatement(composing, target, viewer, { id: `${BASE}.${quoted(column)}` });
    return `iif(@wanted${at} AND ${shown[at]}, (${object}), NULL)`;
  });
  const links = relations.map(({ column }, at) => `iif(@links AND ${shown[at]}, ${BASE}.${quoted(column)}, NULL)`);
  const text = `(${recordStatement(composing, definition, viewer, { id: `${BASE}."id"` })})`;
  return `SELECT ${[text, `${BASE}.${quoted(VERSION)}`, ...objects, ...links].join(', ')} FROM ${rowsOf(definition, BASE)} WHERE ${BASE}."id" = @id`;
}

/** The alias of the base row, since the statements of records call their own row `t`. */
const BASE = '"@base"';
