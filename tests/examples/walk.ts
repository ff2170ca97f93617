// The steps that every example goes through, with its own `punchboard` command.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn, serveIn } from '../cli/processes.js';
import { count } from '../support/counts.js';
import { startHttpReceiver } from '../webhooks/http-receiver.js';

/** example.json: an edit, the finding of `impact` for it, and a record that must survive it. */
export interface Example {
  /** SQLite by default. */
  readonly engine?: 'postgres';
  readonly edit: { readonly file: string; readonly from: string; readonly to: string };
  /** Part of a line of output. */
  readonly impact: string;
  readonly record: {
    readonly resource: string;
    readonly as: 'admin' | 'member';
    readonly sent: Readonly<Record<string, unknown>>;
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  };
}

const PASSWORD = 'correct horse battery';

export interface Circumstances {
  readonly env: Readonly<Record<string, string>>;
  readonly node: string;
}

/** Runs what must work in every repository, and throws on failure. @param folder has everything installed */
export async function begin(folder: string, circumstances: Circumstances): Promise<Walker> {
  const walker = new Walker(folder, circumstances);
  await walker.command(['gen']);
  await walker.command(['gen', '--check']);
  await walker.command(['test']);
  walker.commit();
  await servesAsImage(folder, circumstances);
  return walker;
}

/** Throws the difference if a step goes differently. @param folder the folder of the example, with everything installed */
export async function walk(folder: string, example: Example, circumstances: Circumstances): Promise<void> {
  const walker = await begin(folder, circumstances);
  const id = await walker.served((address) => walker.create(address, example));
  if (example.engine === 'postgres') await walker.served((address) => walker.hears(address, id));
  edit(folder, example);
  const { stdout } = await walker.command(['impact'], [0, 2]);
  if (!stdout.includes(example.impact)) throw new Error(`impact does not say "${example.impact}": ${stdout}`);
  await walker.command(['gen']);
  await walker.command(['migrate', 'apply']);
  await walker.served((address) => walker.expect(address, example.record.resource, id, example.record.after));
  if (example.engine === 'postgres') return;
  await walker.command(['backup', 'backup']);
  const restored = { ...circumstances.env, DATABASE: 'restored.db', FILES: 'restored-files' };
  const other = new Walker(folder, { ...circumstances, env: restored });
  await other.command(['restore', 'backup']);
  await other.served((address) => other.expect(address, example.record.resource, id, example.record.after));
}

/** Creates a record with an earlier package, and throws unless the current one serves it. Repository and packages are folders. */
export async function upgrade(
  { repository, earlier, today }: { readonly repository: string; readonly earlier: string; readonly today: string },
  example: Example,
  circumstances: Circumstances,
): Promise<void> {
  const walker = new Walker(repository, circumstances);
  const installed = join(repository, 'node_modules', 'punchboard');
  symlinkSync(earlier, installed);
  await walker.command(['gen']);
  const id = await walker.served((address) => walker.create(address, example));
  walker.commit();
  unlinkSync(installed);
  symlinkSync(today, installed);
  await walker.command(['gen']);
  await walker.command(['gen', '--check']);
  await walker.command(['impact']);
  // The tests passed with this package before.
  if (count(0, 1) === 1) await walker.command(['test']);
  await walker.served((address) => walker.expect(address, example.record.resource, id, example.record.before));
}

/** Serves from what the second stage of the Dockerfile copies, and nothing else. */
async function servesAsImage(folder: string, circumstances: Circumstances): Promise<void> {
  const image = `${folder}-image`;
  const copied = [...readFileSync(join(folder, 'Dockerfile'), 'utf8').matchAll(/^COPY --from=build (.+) \S+$/gm)];
  const paths = copied.flatMap(([, sources = '']) => sources.split(' ').map((path) => path.replace(/^\/app\//, '')));
  // The folder of versions exists once a version is cut; the build creates an empty one.
  for (const path of paths.filter((path) => path !== 'node_modules' && existsSync(join(folder, path)))) {
    cpSync(join(folder, path), join(image, path), { recursive: true });
  }
  symlinkSync(join(folder, 'node_modules'), join(image, 'node_modules'));
  await new Walker(image, circumstances).served(async (address) => {
    const { status } = await fetch(`${address}/readyz`);
    if (status !== 200) throw new Error(`the image answers ${status} at /readyz`);
  });
}

function edit(folder: string, { edit: { file, from, to } }: Example): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not say "${from}"`);
  writeFileSync(path, text.replace(from, to));
}

/** The commands of an example, in its folder. */
class Walker {
  private readonly program: readonly [string, string];
  private readonly environment: Readonly<Record<string, string>>;

  constructor(
    private readonly folder: string,
    { env, node }: Circumstances,
  ) {
    this.program = [node, join(folder, 'node_modules', 'punchboard', 'dist', 'generator', 'bin.js')];
    this.environment = { ...env, LOG_LEVEL: 'error', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  }

  /** Throws on any other exit code. */
  async command(args: readonly string[], codes: readonly number[] = [0], input = '') {
    const ended = await runIn(args, this.folder, { env: this.environment, program: this.program, input });
    if (codes.includes(ended.code ?? -1)) return ended;
    throw new Error(`punchboard ${args.join(' ')} ends with ${ended.code}: ${ended.stdout}${ended.stderr}`);
  }

  /** What impact compares with. */
  commit(): void {
    const author = ['-c', 'user.name=example', '-c', 'user.email=example@example.com', '-c', 'commit.gpgsign=false'];
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      [...author, 'commit', '--quiet', '-m', 'first'],
    ]) {
      const { status, stderr } = spawnSync('git', args, { cwd: this.folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    }
    const listed = spawnSync('git', ['ls-files'], { cwd: this.folder, encoding: 'utf8' }).stdout.split('\n');
    const compiled = listed.filter((path) => path.startsWith('.punchboard') || path.startsWith('node_modules'));
    if (compiled.length > 0) throw new Error(`git would keep ${compiled[0]}`);
  }

  /** Runs the service during the work, and stops it as an operator would. */
  async served<T>(use: (address: string) => Promise<T>): Promise<T> {
    const circumstances = { env: this.environment, program: this.program };
    const server = await serveIn(['--port', '0'], this.folder, circumstances);
    try {
      return await use(server.address);
    } finally {
      await server.end('SIGTERM');
    }
  }

  /** @returns the id of the example's record */
  async create(address: string, { record: { resource, as, sent, before } }: Example): Promise<string> {
    const session = await this.login(address, as, as === 'admin');
    const { id } = await this.sent(address, `/api/${resource}`, { ...sent, session_id: session });
    await this.expect(address, resource, id, before, session);
    return id;
  }

  /** Checks that the record exists with these values. */
  async expect(address: string, resource: string, id: string, values: object, session?: string): Promise<void> {
    const known = session ?? (await this.session(address, 'admin').catch(() => this.session(address, 'member')));
    const response = await fetch(`${address}/api/${resource}/${id}?session_id=${known}`);
    const body = (await response.json()) as Readonly<Record<string, unknown>>;
    const wrong = Object.entries(values).filter(([name, value]) => body[name] !== value);
    if (wrong.length > 0)
      throw new Error(`${resource} ${id} has ${JSON.stringify(body)}, not ${JSON.stringify(values)}`);
  }

  /** Checks that a web hook receives a purchase. @param article what is bought */
  async hears(address: string, article: string): Promise<void> {
    const session_id = await this.login(address, 'member', false);
    const user = (await (await fetch(`${address}/api/session/${session_id}`)).json()) as { readonly user_id: string };
    const receiver = await startHttpReceiver();
    try {
      const key = await this.sent(address, '/api/apikey', { session_id });
      const about = { owner_class: 'Customer', owner_id: user.user_id, event: 'OrderPaid', api_key_id: key.id };
      await this.sent(address, '/api/webhook', { ...about, callback_uri: `${receiver.address}/orders`, session_id });
      const order = await this.sent(address, '/api/purchase', { article_id: article, session_id });
      await this.sent(address, `/api/purchase/${order.id}/pay`, { session_id });
      await receiver.until((posts) => posts.find(({ said }) => said.type === 'data' && said.payload.id === order.id));
    } finally {
      await receiver.close();
    }
  }

  private async login(address: string, name: string, admin: boolean): Promise<string> {
    const flags = admin ? ['--admin'] : [];
    await this.command(['user', 'add', '--username', name, '--password-stdin', ...flags], [0], `${PASSWORD}\n`);
    return this.session(address, name);
  }

  private async session(address: string, username: string): Promise<string> {
    return (await this.sent(address, '/api/session', { username, password: PASSWORD })).id;
  }

  private async sent(address: string, path: string, parameters: object): Promise<{ readonly id: string }> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(parameters) });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${text}`);
    return JSON.parse(text);
  }
}
