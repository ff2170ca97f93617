import { createMetrics } from '../../runtime/http/metrics.js';

test('the memory is that of all processes, of one that has not reported yet 0', () => {
  const counted = { durations: [], uses: [] };
  const name = 'process_resident_memory_bytes';
  const own = createMetrics().memory();
  const all = createMetrics([], [], () => [
    { counted, metrics: [{ name, values: [{ value: 1e15, labels: {} }] }] },
    { counted, metrics: [] },
  ]).memory();
  expect(own).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(1e15);
  expect(all).toBeLessThan(1e15 + 100 * own);
});
