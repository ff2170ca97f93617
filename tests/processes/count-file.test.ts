import { writeSync } from 'node:fs';
import { createRequestCounts } from '../../runtime/http/request-metrics.js';
import { countersInFile, countsIn, openCountFile, takeCounts } from '../../runtime/server/processes/count-file.js';

function raised(error: unknown): never {
  throw error;
}

test('counts are in the file immediately', () => {
  const file = openCountFile();
  const counts = createRequestCounts([], countersInFile(file));
  const labels = { operation: 'fetch', resource: 'box' };
  counts.durations.observe(labels, 200, 0.25);
  counts.durations.observe(labels, 200, 20_000);
  counts.durations.observe(labels, 404, 0.5);
  counts.uses.observe([{ resource: 'box', field: '' }]);
  const { durations, uses } = countsIn(file);
  const shown = durations.map(({ numbers, ...rest }) => ({ ...rest, numbers: Array.from(numbers).slice(0, 15) }));
  const none = Array<number>(12).fill(0);
  expect(shown).toEqual([
    { ...labels, status: 2, numbers: [1, ...none, 1, 20_000.25] },
    { ...labels, status: 4, numbers: [1, ...none, 0, 0.5] },
  ]);
  expect(uses).toEqual([{ resource: 'box', field: '', count: 1 }]);
  takeCounts(file, raised);
  expect(() => countsIn(file)).toThrow('EBADF');
});

test('a row that did not fit on the disk leaves a gap until it is written', () => {
  const file = openCountFile();
  const keep = countersInFile(file);
  const rows = ['a', 'b', 'c'].map((resource) => keep({ resource, field: '' }));
  const resources = () => countsIn(file).uses.map(({ resource }) => resource);
  rows[0]?.save?.();
  rows[2]?.save?.();
  expect(resources()).toEqual(['a', 'c']);
  rows[1]?.save?.();
  expect(resources()).toEqual(['a', 'b', 'c']);
  takeCounts(file, raised);
});

test('an unreadable file loses its counts, but does not fail the process that reads them', () => {
  const file = openCountFile();
  // Half a row is what a full disk leaves.
  writeSync(file, Buffer.alloc(4096, '{'));
  expect(() => countsIn(file)).toThrow(SyntaxError);
  const errors: unknown[] = [];
  expect(takeCounts(file, (error) => errors.push(error))).toEqual({ durations: [], uses: [] });
  expect(errors).toEqual([expect.any(SyntaxError)]);
  expect(() => countsIn(file)).toThrow('EBADF');
});
