import { createMetrics } from '../../runtime/http/metrics.js';

test('the memory is that of all processes; one that has not reported yet counts as 0', () => {
  const counted = { durations: [], uses: [] };
  const name = 'process_resident_memory_bytes';
  const ofThisProcess = createMetrics().memory();
  const all = createMetrics([], [], () => [
    { counted, metrics: [{ name, values: [{ value: 1e15, labels: {} }] }] },
    { counted, metrics: [] },
  ]).memory();
  expect(ofThisProcess).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(1e15);
  expect(all).toBeLessThan(1e15 + 100 * ofThisProcess);
});
