// The tag of a record (D57): an update with another tag is refused; one without a tag is refused if the descriptor requires it.
import { wantsTag } from './reading.js';
import { again, offers, pathOf, type Section, whoMay } from './trial.js';

export const tags: Section = async (trial) => {
  const { world, facts, findings } = trial;
  if (!offers(trial, 'update') || !offers(trial, 'fetch')) return;
  if (!offers(trial, 'create')) return trial.untested('tags', 'nobody can create it');
  if (facts.served_by !== undefined)
    return trial.untested('tags', `${facts.served_by} may change the record between two requests`);
  const held = await world.make(facts.resource, world.owner);
  const person = whoMay(trial, 'update', held);
  const sent = await again(trial, held, person);
  const path = pathOf(held);
  const { headers } = await world.service.request(person, { method: 'GET', path });
  const cases = [
    ['with another tag', { headers: { 'if-match': '"0"' } }, 'precondition_failed'],
    ['with its tag', { headers: { 'if-match': String(headers.get('etag')) } }, 'ok'],
    ['without a tag', { untagged: true }, wantsTag(facts) ? 'precondition_required' : 'ok'],
  ] as const;
  for (const [what, more, expected] of cases) {
    const { said } = await world.service.request(person, { method: 'PUT', path, sent, ...more });
    findings.outcome(`update of a ${facts.resource} ${what}`, expected, said);
  }
};
