// An order is paid once. That its web hooks hear of it, the walk of this example shows on a database server.

import { startService } from 'punchboard/testing';

test('an order is paid once', async () => {
  const service = await startService();
  try {
    const keeper = await service.login('keeper', { admin: true });
    const ada = await service.login('ada');
    const article = await service.ask(keeper, 'POST', '/api/article', { name: 'Lamp', price: '19.99' });
    const order = await service.ask(ada, 'POST', '/api/purchase', { article_id: article.body.id, quantity: 2 });
    const pay = () => service.ask(ada, 'POST', `/api/purchase/${order.body.id}/pay`);
    expect((await pay()).body).toMatchObject({ quantity: 2, paid: expect.any(String) });
    expect((await pay()).said).toBe('conflict');
  } finally {
    await service.stop();
  }
});
