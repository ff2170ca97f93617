// The access matrix: everybody tries every operation on every resource of a model; the findings are the unexpected outcomes.

import type { Model } from '../../generator/model/model.js';
import { runSql } from '../support/database.js';
import { controls } from './controls.js';
import { expectations } from './expected.js';
import { Findings, runAll } from './findings.js';
import { type Holder, holders } from './people.js';
import { type Matrix, reads } from './reads.js';
import { foreignReferences } from './references.js';
import { storedRows } from './shown.js';
import { openWorld, Refused, type World } from './world.js';
import { acceptedWrites, refusedWrites } from './writes.js';

/** The probe that reports a run that did not end, which is not a finding about access. */
const BROKEN = 'the end of the matrix';

/** Runs every probe. If the holders may not create the records to look at, that is a difference, not an error. */
export async function runMatrix(model: Model): Promise<Findings> {
  const findings = new Findings(false);
  let world: World;
  try {
    world = await openWorld(model);
  } catch (error) {
    findings.given(error instanceof Refused ? 'the records to look at' : BROKEN, false, (error as Error).message);
    return findings;
  }
  try {
    const matrix: Matrix = { world, findings, expected: expectations(model), rows: await storedRows(world) };
    placements(matrix);
    await runAll(findings, reads(matrix));
    if (!findings.done) await unwritten(matrix);
    await runAll(findings, acceptedWrites(matrix));
    for (const probe of foreignReferences(matrix, true)) if (!findings.done) await probe();
  } catch (error) {
    findings.given(BROKEN, false, (error as Error).message);
  } finally {
    await world.stop();
  }
  return findings;
}

/** Refused writes have left no trace. */
async function unwritten(matrix: Matrix): Promise<void> {
  const { world, findings } = matrix;
  const before = await snapshot(world);
  await runAll(findings, [...refusedWrites(matrix), ...foreignReferences(matrix, false)]);
  const after = await snapshot(world);
  for (const [table, rows] of before) findings.kept(`${table} after refusals`, after.get(table) === rows, 'changed');
  await controls(matrix);
}

async function snapshot({ model, running }: World): Promise<ReadonlyMap<string, string>> {
  const read = async (name: string): Promise<[string, string]> => {
    return [name, JSON.stringify(await runSql(running.service, `SELECT * FROM "${name}" ORDER BY id`))];
  };
  return new Map(await Promise.all(model.resources.map(({ name }) => read(name))));
}

/** The ids of all records of one owner start with the same two characters (D37). */
function placements({ world, findings }: Matrix): void {
  const placed = (key: string) =>
    world.model.resources.some(
      ({ name, principal, references }) =>
        name === key.split(' ')[0] && (principal || references.some(({ place }) => place)),
    );
  const start = (holder: Holder) => world.people[holder].user.slice(0, 2);
  for (const holder of holders) {
    const elsewhere = Object.entries(world.holdings[holder]).filter(
      ([key, id]) => placed(key) && !id.startsWith(start(holder)),
    );
    findings.given(`placement of what ${holder} has`, elsewhere.length === 0, elsewhere.map(([name]) => name).join());
  }
}
