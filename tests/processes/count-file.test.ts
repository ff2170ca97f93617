import { writeSync } from 'node:fs';
import { createRequestCounts } from '../../runtime/http/request-metrics.js';
import { countersInFile, countsIn, openCountFile, takeCounts } from '../../runtime/server/processes/count-file.js';

function raised(error: unknown): never {
  throw error;
}

test('what is counted is in the file at once', () => {
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

test('a row that the disk had no space for leaves a gap until it is written', () => {
  const file = openCountFile();
  const keep = countersInFile(file);
  const rows = ['a', 'b', 'c'].map((resource) => keep({ resource, field: '' }));
  const resources = () => countsIn(file).uses.map(({ resource }) => resource);
  rows[0]?.save();
  rows[2]?.save();
  expect(resources()).toEqual(['a', 'c']);
  rows[1]?.save();
  expect(resources()).toEqual(['a', 'b', 'c']);
  takeCounts(file, raised);
});

test('a file that cannot be read costs its counts, and not the process that takes them', () => {
  const file = openCountFile();
  // Half a row, as a full disk leaves it.
  writeSync(file, Buffer.alloc(4096, '{'));
  expect(() => countsIn(file)).toThrow(SyntaxError);
  const errors: unknown[] = [];
  expect(takeCounts(file, (error) => errors.push(error))).toEqual({ durations: [], uses: [] });
  expect(errors).toEqual([expect.any(SyntaxError)]);
  expect(() => countsIn(file)).toThrow('EBADF');
});
