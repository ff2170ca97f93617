// How thin the runtime is: what a server on SQLite loads of it. A budget that rises needs a reason in its commit.

import { loadedByFolder } from './loaded.js';

test('a server on SQLite loads no more of runtime than its budget', async () => {
  const folders = await loadedByFolder();
  expect(folders.get('all')?.lines).toBeLessThan(27_500);
  // A count of nothing would be within every budget.
  expect(folders.get('store')?.files).toBeGreaterThan(50);
});
