// The YAML language server that editors use, asked over its own protocol what it shows for a text.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What an editor shows. */
export interface EditorHelp {
  /** The problems of the text. */
  readonly problems: readonly string[];
  /** The completions at the cursor, with their texts. */
  readonly offered: ReadonlyMap<string, string>;
  /** The hover text at the cursor. */
  readonly hover: string;
}

export interface LanguageServer {
  /** @param path the path of the text, which is not read from there @param cursor the number of characters before the cursor */
  show(path: string, text: string, cursor: number): Promise<EditorHelp>;
  stop(): void;
}

/** @param tools the folder where the server is installed */
export async function startLanguageServer(tools: string): Promise<LanguageServer> {
  const program = join(tools, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server');
  const connection = connect(spawn(process.execPath, [program, '--stdio']));
  await connection.request('initialize', { processId: process.pid, rootUri: null, capabilities: CAPABILITIES });
  connection.notify('initialized', {});
  connection.notify('workspace/didChangeConfiguration', { settings: SETTINGS });
  return {
    async show(path, text, cursor) {
      const uri = pathToFileURL(path).href;
      const lines = text.slice(0, cursor).split('\n');
      const position = { line: lines.length - 1, character: (lines.at(-1) ?? '').length };
      const problems = connection.problems(uri);
      connection.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
      const published = await problems;
      const at = { textDocument: { uri }, position };
      const completion = (await connection.request('textDocument/completion', at)) as Completion | null;
      const hover = (await connection.request('textDocument/hover', at)) as Hover | null;
      const items = completion?.items ?? [];
      const shown = items.map(({ label, documentation }) => [label, textOf(documentation)] as const);
      connection.notify('textDocument/didClose', { textDocument: { uri } });
      return { problems: published, offered: new Map(shown), hover: textOf(hover?.contents) };
    },
    stop: connection.stop,
  };
}

const SETTINGS = { yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } } };

const CAPABILITIES = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown'] },
  },
};

type MarkedText = string | { readonly value: string };
interface Completion {
  readonly items: readonly { readonly label: string; readonly documentation?: MarkedText }[];
}
interface Hover {
  readonly contents: MarkedText;
}

function textOf(marked: MarkedText = ''): string {
  return typeof marked === 'string' ? marked : marked.value;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly { readonly message: string }[] };
  readonly result?: unknown;
}

/** JSON-RPC over a process's standard input and output. */
function connect(server: ChildProcessWithoutNullStreams) {
  const answers = new Map<number, (message: Message) => void>();
  const published = new Map<string, (problems: readonly string[]) => void>();
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  eachMessage(server, ({ id, method, params, result }) => {
    // The server asks for settings; none differs from its default.
    if (id !== undefined && method !== undefined) send({ id, result: [] });
    else if (id !== undefined) answers.get(id)?.({ result });
    else if (method === 'textDocument/publishDiagnostics' && params !== undefined)
      published.get(params.uri)?.(params.diagnostics.map(({ message }) => message));
  });
  return {
    notify: (method: string, params: object) => send({ method, params }),
    request(method: string, params: object): Promise<unknown> {
      const id = answers.size + 1;
      const answer = new Promise<unknown>((resolve) => answers.set(id, (message) => resolve(message.result)));
      send({ id, method, params });
      return answer;
    },
    /** The next problems that the server publishes for a text. */
    problems: (uri: string) => new Promise<readonly string[]>((resolve) => published.set(uri, resolve)),
    stop: () => void server.kill(),
  };
}

function eachMessage(server: ChildProcessWithoutNullStreams, take: (message: Message) => void): void {
  let read = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const head = read.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(read.subarray(0, Math.max(0, head)).toString())?.[1]);
      if (head < 0 || read.length < head + 4 + length) return;
      const body = read.subarray(head + 4, head + 4 + length).toString();
      read = read.subarray(head + 4 + length);
      take(JSON.parse(body) as Message);
    }
  });
}
