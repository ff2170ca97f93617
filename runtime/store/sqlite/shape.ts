// The SQL that properties share: dates and booleans as the wire profile has them, and brief descriptions (D25).
import type { Shape } from '../../definition.js';
import { literal, quoted } from '../../schema/ddl.js';
import { type Definitions, definitionOf } from './access.js';

/** What a wire profile says in SQL: a date (epoch milliseconds) and a boolean (0/1) as they leave (D05, D06). */
export interface SqlProfile {
  date(expression: string): string;
  boolean(expression: string): string;
}

/** The shape every property of every definition is written with. */
export function createShape(profile: SqlProfile, definitions: Definitions): Shape {
  const shape: Shape = {
    date: (expression) => profile.date(expression),
    boolean: (expression) => profile.boolean(expression),
    json: (expression) => `json(${expression})`,
    brief: (resource, expression) => briefSql(definitions, shape, resource, expression),
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
