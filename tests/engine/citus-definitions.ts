// Definitions of tables with a placement that Citus refuses.
import { SHARD } from '../../runtime/schema/postgres/ddl.js';
import type { Shape } from './citus-shapes.js';
import { type Node, nodesIn, textOf } from './parsed-sql.js';

/** @param kind of the statement @param node the statement */
export function refusedDefinitions(kind: string, node: Node): readonly Shape[] {
  if (/^(_punchboard|pg_)/.test(textOf((Object(node.relation) as Node).relname))) return [];
  return DEFINITIONS[kind]?.(node) ?? [];
}

const DEFINITIONS: Readonly<Record<string, (node: Node) => readonly Shape[]>> = {
  CreateTrigStmt: () => ['a trigger'],
  CreateStmt: constraintsIn,
  IndexStmt: (node) => (node.unique === true && !hasPlacement(node.indexParams) ? ['a key without the placement'] : []),
  AlterTableStmt(node) {
    const added = [...nodesIn(node.cmds)].filter(([, { subtype }]) => subtype === 'AT_AddConstraint');
    const isAlone = (node.cmds as readonly unknown[]).length === 1;
    return [
      ...constraintsIn(node),
      ...(added.length > 0 && !isAlone ? (['a constraint that is not added alone'] as const) : []),
    ];
  },
};

function constraintsIn(node: Node): readonly Shape[] {
  return [...nodesIn(node)].flatMap(([kind, constraint]) => (kind === 'Constraint' ? ofConstraint(constraint) : []));
}

function ofConstraint({ contype, keys, fk_attrs, fk_del_action, indexname }: Node): readonly Shape[] {
  const isKey = contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_UNIQUE';
  if (isKey && indexname === undefined && !hasPlacement(keys)) return ['a key without the placement'];
  if (contype !== 'CONSTR_FOREIGN') return [];
  if (!hasPlacement(fk_attrs)) return ['a foreign key without the placement'];
  return fk_del_action === 'n' || fk_del_action === 'd' ? ['a foreign key that clears the placement'] : [];
}

function hasPlacement(keys: unknown): boolean {
  return [...nodesIn(keys)].some(([, { sval, name }]) => sval === SHARD || name === SHARD);
}
