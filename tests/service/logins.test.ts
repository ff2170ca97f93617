// The limit on failed logins, as the server is started with it (D39).
import { clientOf } from '../support/client.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

let service: TestService;
afterEach(() => service.stop());

const statuses = async (passwords: readonly string[]) => {
  await service.user('ada');
  const send = clientOf(service.address);
  const statuses: number[] = [];
  for (const password of passwords) {
    statuses.push((await send('POST', '/api/session', { parameters: { username: 'ada', password } })).status);
  }
  return statuses;
};

test('F21: --login-limit counts failed logins', async () => {
  service = await startService({ rateLimit: 1000, loginLimit: 2 });
  const passwords = [PASSWORD, PASSWORD, PASSWORD, 'wrong', 'wrong', PASSWORD];
  expect(await statuses(passwords)).toEqual([201, 201, 201, 401, 401, 429]);
});

test('F21: without a rate limit, logins have none', async () => {
  service = await startService({ rateLimit: 0, loginLimit: 1 });
  expect(await statuses(['wrong', 'wrong', PASSWORD])).toEqual([401, 401, 201]);
});
