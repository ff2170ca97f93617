// Tries the operations that administrators have for web hooks, as each kind of caller.

import { clientOf } from '../support/client.js';
import type { Matrix } from './reads.js';

/** Only administrators control web hooks, and nobody else learns which hooks there are (D48). */
export async function controls({ world, findings }: Matrix): Promise<void> {
  const send = clientOf(world.running.address);
  const { people, holdings } = world;
  const { webhook } = holdings.owner;
  if (webhook === undefined) return;
  for (const name of ['anonymous', 'stranger', 'associate', 'owner', 'administrator'] as const) {
    const refused = name === 'anonymous' ? 'login_required' : name === 'administrator' ? null : 'forbidden';
    const { session } = people[name];
    for (const [id, known] of Object.entries({ [webhook]: 'ok', none: 'not_found' })) {
      const expected = { deliveries: known, 'message?delivery_id=none': 'not_found' };
      for (const [path, outcome] of Object.entries(expected)) {
        const got = codeOf(await send('GET', `/api/webhook/${id}/${path}`, { session }));
        findings.outcome(`${path} of a web hook by ${name}`, refused ?? outcome, got);
      }
      for (const path of ['pause', 'resume', 'retry']) {
        const got = codeOf(await send('POST', `/api/webhook/${id}/${path}`, { session, parameters: {} }));
        findings.outcome(`${path} of a web hook by ${name}`, refused ?? known, got);
      }
    }
  }
}

/** @returns `ok` or the code of the error */
function codeOf({ status, body }: { status: number; body: { code?: string } | null }): string {
  return status < 300 ? 'ok' : (body?.code ?? `status ${status}`);
}
