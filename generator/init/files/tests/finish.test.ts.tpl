// A test of your own: `npm test` runs it with those that gen wrote.

import { startService } from 'punchboard/testing';

test('a task is finished once', async () => {
  const service = await startService();
  try {
    const ada = await service.login('ada');
    const task = await service.ask(ada, 'POST', '/api/task', { title: 'Water the plants' });
    const finish = () => service.ask(ada, 'POST', `/api/task/${task.body.id}/finish`);
    expect((await finish()).body).toMatchObject({ title: 'Water the plants', finished: expect.any(String) });
    expect((await finish()).said).toBe('conflict');
  } finally {
    await service.stop();
  }
});
