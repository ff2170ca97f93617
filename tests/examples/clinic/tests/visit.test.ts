// Other practices cannot see what a practice stores.

import { startService } from 'punchboard/testing';

test('a visit belongs to the practice of its patient', async () => {
  const service = await startService();
  try {
    const [ada, bob] = [await service.login('ada'), await service.login('bob')];
    const practice = await service.ask(ada, 'POST', '/api/practice', { name: 'Park Street' });
    const patient = await service.ask(ada, 'POST', '/api/patient', {
      practice_id: practice.body.id,
      name: 'Grace Hopper',
    });
    const sent = { patient_id: patient.body.id, at: '2030-01-31T09:00:00.000Z' };
    const visit = await service.ask(ada, 'POST', '/api/visit', sent);
    expect(visit.body).toMatchObject({ state: 'planned', minutes: 20 });
    expect((await service.ask(bob, 'POST', '/api/visit', sent)).said).toBe('patient_id forbidden');
    expect((await service.ask(bob, 'GET', `/api/visit/${visit.body.id}`)).status).toBe(403);
  } finally {
    await service.stop();
  }
});
