// The SQL that properties share: dates and booleans as the wire profile has them, and brief descriptions (D25).
import type { Shape } from '../../definition.js';
import { literal, quoted } from '../../schema/ddl.js';
import { type Definitions, definitionOf, rightExpression } from './access.js';
import type { Viewer } from './record-text.js';
import { allOf } from './sql.js';

/** What a wire profile says in SQL: a date (epoch milliseconds) and a boolean (0/1) as they leave (D05, D06). */
export interface SqlProfile {
  date(expression: string): string;
  boolean(expression: string): string;
}

/** The shape that properties are written with, for each kind of viewer. */
export type ShapeOf = (viewer: Pick<Viewer, 'user' | 'holds'>) => Shape;

export function createShape(profile: SqlProfile, definitions: Definitions): ShapeOf {
  return (viewer) => shapeFor(viewer, profile, definitions);
}

function shapeFor(viewer: Parameters<ShapeOf>[0], profile: SqlProfile, definitions: Definitions): Shape {
  const shape: Shape = {
    date: (expression) => profile.date(expression),
    boolean: (expression) => profile.boolean(expression),
    json: (expression) => `json(${expression})`,
    brief: (resource, expression) => briefSql(definitions, shape, resource, expression),
    count(resource, column) {
      const asked = { resource, right: 'read', alias: 'c', user: viewer.user };
      const read = viewer.holds === 'everything' ? '1' : rightExpression(definitions, asked);
      return `(SELECT count(*) FROM ${quoted(resource)} c WHERE ${allOf([`c.${quoted(column)} = t."id"`, read])})`;
    },
  };
  return shape;
}

/**
 * Properties are written over the alias `t`, outside as well as inside: the outer value goes in by a name of its own.
 * A brief description within another is null, so that two resources may describe each other.
 */
function briefSql(definitions: Definitions, shape: Shape, resource: string, expression: string): string {
  const definition = definitionOf(definitions, resource);
  const properties = definition.sql.properties({ ...shape, brief: () => 'NULL' });
  const pairs = definition.brief.map((name) => `${literal(name)}, ${properties[name] ?? 'NULL'}`);
  const described = `(SELECT json_object(${pairs.join(', ')}) FROM ${quoted(resource)} t WHERE t."id" = described.id)`;
  return `json((SELECT ${described} FROM (SELECT ${expression} AS id) described))`;
}
