import { createRequestDurations } from '../../runtime/http/request-metrics.js';

test('there is a histogram for each operation, resource and class of statuses', () => {
  const durations = createRequestDurations();
  const fetch = { operation: 'fetch', resource: 'box' };
  for (const milliseconds of [0.5, 0.51, 30, 20_000]) durations.observe(fetch, 200, milliseconds);
  durations.observe(fetch, 404, 1);
  durations.observe({ operation: 'create', resource: 'box' }, 201, 2);
  const lines = durations.text().split('\n');
  const linesWith = (labels: string) =>
    lines
      .filter((line) => line.includes(labels))
      .map((line) => line.replace(/^punchboard_request_duration_seconds/, ''));
  const fetched = 'operation="fetch",resource="box",status="2xx"';
  expect(linesWith(fetched)).toEqual([
    ...[`_bucket{le="0.0005",${fetched}} 1`, `_bucket{le="0.001",${fetched}} 2`, `_bucket{le="0.0025",${fetched}} 2`],
    ...[`_bucket{le="0.005",${fetched}} 2`, `_bucket{le="0.01",${fetched}} 2`, `_bucket{le="0.025",${fetched}} 2`],
    ...[`_bucket{le="0.05",${fetched}} 3`, `_bucket{le="0.1",${fetched}} 3`, `_bucket{le="0.25",${fetched}} 3`],
    ...[`_bucket{le="0.5",${fetched}} 3`, `_bucket{le="1",${fetched}} 3`, `_bucket{le="2.5",${fetched}} 3`],
    ...[`_bucket{le="10",${fetched}} 3`, `_bucket{le="+Inf",${fetched}} 4`],
    ...[`_sum{${fetched}} 20.03101`, `_count{${fetched}} 4`],
  ]);
  expect(linesWith('status="4xx"').at(-1)).toBe('_count{operation="fetch",resource="box",status="4xx"} 1');
  expect(linesWith('operation="create"').at(-1)).toBe('_count{operation="create",resource="box",status="2xx"} 1');
  durations.observe(fetch, 503, 4);
  expect(durations.totals()).toEqual({ requests: 7, failures: 1, milliseconds: 20_038.01 });
  expect(lines[1]).toBe('# TYPE punchboard_request_duration_seconds histogram');
});
