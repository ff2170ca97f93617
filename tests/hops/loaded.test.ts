// How much of the runtime a server on SQLite loads. Raising a budget needs a reason in the commit.

import { loadedByFolder } from './loaded.js';

test('a server on SQLite loads no more of runtime than its budget', async () => {
  const folders = await loadedByFolder();
  expect(folders.get('all')?.lines).toBeLessThan(23_750);
  // An empty count would be within every budget.
  expect(folders.get('store')?.files).toBeGreaterThan(50);
});
