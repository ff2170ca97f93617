// Creates records with the generated client over connections that are cut, each until it is answered, as a program would.
// Arguments: the setting as JSON.

const address = new URL('../../../generated/client/index.js', import.meta.url).href;
const { Punchboard, PunchboardError } = (await import(address)) as typeof import('../../generated/client/index.js');

export interface Cuts {
  readonly baseUrl: string;
  readonly session: string;
  readonly game: string;
  readonly records: number;
  /** Whether the program or the client gives each create its own key and repeats it. */
  readonly keyed: 'by the program' | 'by the client' | 'not';
}

const AT_ONCE = 16;

const { baseUrl, session, game, records, keyed } = JSON.parse(process.argv[2] ?? '') as Cuts;
/** Ten cuts in a row do not happen by chance. */
const retries = { 'by the program': 3, 'by the client': 10, not: 0 }[keyed];
const api = new Punchboard({ baseUrl, session, retries });
const names = Array.from({ length: records }, (_, at) => `box ${at}`).values();

async function create(name: string): Promise<void> {
  const call = keyed === 'by the program' ? { idempotencyKey: `key of ${name}`.replaceAll(' ', '-') } : {};
  for (;;) {
    try {
      await api.boxtop.create({ game_id: game, name }, call);
      return;
    } catch (error) {
      if (!(error instanceof PunchboardError) || error.code !== 'network') throw error;
    }
  }
}

async function work(): Promise<void> {
  for (const name of names) await create(name);
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
