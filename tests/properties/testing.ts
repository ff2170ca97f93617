// What tests of a repository import as `punchboard/testing`.

import { addUser } from '../../runtime/auth/add-user.js';
import { PASSWORD } from '../support/service.js';
import { type Person, type Service, startService as start } from './service.js';

export { properties } from './properties.js';
export type { Answer, Person, SentParameters } from './service.js';

/** The project's service, on a database and a folder of files of its own. */
export interface ProjectService extends Pick<Service, 'ask' | 'stop'> {
  /** Creates a user, and logs them in. */
  login(username: string, options?: { readonly admin?: boolean }): Promise<Person>;
}

/** Starts the service of the project in which the test runs, as gen has compiled it. The caller stops it. */
export async function startService(): Promise<ProjectService> {
  const { running, ask, stop, login } = await start(null);
  return {
    ask,
    stop,
    async login(username, { admin = false } = {}) {
      const user = { username, password: PASSWORD, admin };
      const { id } = JSON.parse(await addUser(running.service, user, Date.now())) as { readonly id: string };
      return { ...(await login(username, id)), admin };
    },
  };
}
