// A site of pages, such as the operators' pages: finds the page, admits only the users of the site, reads forms, and answers
// with HTML.

import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Login } from '../../auth/login.js';
import { roleOf, userRecord } from '../../auth/roles.js';
import type { Sessions } from '../../auth/sessions.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { declaredLength } from '../../http/body.js';
import type { BufferLimits } from '../../http/buffered.js';
import { classifyError } from '../../http/errors.js';
import type { Visitor } from '../../http/limits.js';
import type { Files, Form, ReceivePart } from '../../http/multipart.js';
import { checkHead, gather } from '../../http/parameters.js';
import { addressKey } from '../../http/rate-limit.js';
import { readPairs } from '../../http/raw-parameters.js';
import { continueReading } from '../../http/server.js';
import type { Uploads } from '../../http/uploads.js';
import { setPageHeaders } from '../../pages/headers.js';
import { createTemplates } from '../../pages/templates.js';
import type { Records } from '../../store/records.js';
import { createPageFilter, type PageFilter, requireRole } from './access.js';
import {
  type OpenQuestion,
  openQuestion,
  PASSWORD_VALID,
  questionPage,
  sentPassword,
  withoutAnswers,
} from './confirm.js';
import type { Operator, PageAnswer, PageRequest, PageRoute } from './page.js';
import { frame, type PageFrame, send } from './send.js';
import { type HttpExchange, isFromElsewhere, isTokenOf, savedChoices, sendSession, sessionIn } from './session.js';
import { pageView } from './view.js';

export interface ConsoleParts extends PageFrame {
  readonly routes: readonly PageRoute[];
  readonly principal: AnyDefinition;
  readonly store: Pick<Records, 'get'>;
  readonly sessions: Sessions;
  readonly login: Login;
}

/** What the server lends. */
export interface ConsoleHost {
  readonly uploads: Uploads;
  readonly files: Files;
  readonly buffered: BufferLimits;
  now(): number;
  address(req: Request): string;
  /** Status of an error. */
  statusOf(error: ServiceError): number;
  /** Called when a page is known, with its pattern. */
  entered(res: Response, pattern: string): void;
  /** Logs a bug. @returns the id of the request */
  failed(res: Response, bug: unknown): string;
}

interface MountedConsole extends ConsoleParts, ConsoleHost {
  readonly render: ReturnType<typeof createTemplates>;
  readonly usable: PageFilter;
}

export function createConsole(parts: ConsoleParts, host: ConsoleHost): RequestHandler {
  const render = createTemplates(`${__dirname}/../../pages`, __dirname);
  const usable = createPageFilter(parts.routes, parts.site.base);
  const console: MountedConsole = { ...parts, ...host, render, usable };
  const router = Router();
  const on = (method: 'GET' | 'POST', path: string, handler: Handler): void => {
    router[method === 'GET' ? 'get' : 'post'](path, (req, res) =>
      answer(console, { req, res, pattern: path }, handler),
    );
  };
  on('GET', '/login', async (mounted, exchange) => sendLogin(mounted, exchange, ''));
  on('POST', '/login', logIn);
  on('POST', '/logout', logOut);
  for (const route of parts.routes) {
    on(route.method, route.path, async (mounted, exchange) => {
      const operator = await operatorOf(mounted, exchange.req);
      if (typeof operator === 'string') return turnAway(mounted, exchange, operator);
      requireRole(operator.role, route);
      return (route.method === 'GET' ? show : act)(mounted, exchange, { route, operator });
    });
  }
  router.use((req, res) =>
    answer(console, { req, res, pattern: '/*' }, async (mounted, exchange) => {
      const operator = await operatorOf(mounted, req);
      if (typeof operator === 'string') return turnAway(mounted, exchange, operator);
      throw new ServiceError('not_found', 'There is no such page.');
    }),
  );
  return router;
}

interface PageExchange extends HttpExchange {
  readonly pattern: string;
}

type Handler = (console: MountedConsole, exchange: PageExchange) => Promise<void>;

/** Turns every error into a page that says what is wrong. */
async function answer(console: MountedConsole, exchange: PageExchange, handler: Handler): Promise<void> {
  const { req, res, pattern } = exchange;
  console.entered(res, console.site.base + pattern);
  setPageHeaders(res);
  try {
    await handler(console, exchange);
  } catch (thrown) {
    const { error, bug } = classifyError(thrown);
    const message = bug === null ? error.message : `${error.message} Request id: ${console.failed(res, bug)}`;
    const operator = await operatorOf(console, req);
    const page = pageView({ title: 'That did not work', problem: message, sections: [] });
    if (typeof operator === 'string') turnAway(console, exchange, operator);
    else sendPage(console, exchange, operator, { page, status: console.statusOf(error) });
  }
}

interface AdmittedRequest {
  readonly route: PageRoute;
  readonly operator: Operator;
}

async function show(
  console: MountedConsole,
  exchange: PageExchange,
  { route, operator }: AdmittedRequest,
): Promise<void> {
  const { req } = exchange;
  const asked = { ...requestParts(console, req), form: {}, upload: null, operator, now: console.now() };
  sendPage(console, exchange, operator, await route.run(asked));
}

async function act(
  console: MountedConsole,
  exchange: PageExchange,
  { route, operator }: AdmittedRequest,
): Promise<void> {
  const { req } = exchange;
  const params = paramsOf(req);
  const { form, received } = await readForm(console, exchange, { operator, part: route.part?.(params) ?? null });
  // A file field in which nothing was chosen is sent without a name.
  const upload = received === null || received.name === '' ? null : await console.files.keep(received);
  let stored = false;
  try {
    const asked = { ...requestParts(console, req), form: withoutAnswers(form), upload, operator, now: console.now() };
    const by = await confirmed(console, exchange, { route, asked, sent: form });
    if (by === null) return;
    const answered = await route.run({ ...asked, operator: by });
    stored = 'to' in answered || ('page' in answered && answered.stored === true);
    sendPage(console, exchange, by, answered);
  } finally {
    if (received !== null) await (stored ? console.files.settle(received) : console.files.discard(received));
  }
}

interface Confirmation {
  readonly route: PageRoute;
  readonly asked: PageRequest;
  /** The form with what answers a question. */
  readonly sent: PageRequest['form'];
}

/** Asks what has to be asked first. @returns who carries it out, in a new session after a password; null: it was asked */
async function confirmed(
  console: MountedConsole,
  exchange: PageExchange,
  { route, asked, sent }: Confirmation,
): Promise<Operator | null> {
  const { operator, now } = asked;
  const question = (await route.confirm?.(asked)) ?? null;
  if (question === null) return operator;
  const isStale = now - operator.opened > PASSWORD_VALID;
  const ask = (open: OpenQuestion): null => {
    const page = questionPage(question, open, { form: asked.form, action: exchange.req.originalUrl });
    sendPage(console, exchange, operator, page);
    return null;
  };
  const open = openQuestion(question, sent, isStale);
  if (open !== null) return ask(open);
  if (!question.password || !isStale) return operator;
  try {
    return await enterAgain(console, exchange, operator, sentPassword(sent) ?? '');
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return ask({ typed: question.typed, password: true, errors: { password: thrown.message } });
  }
}

/** The session is replaced by a new one. Throws ServiceError if the password is wrong. */
async function enterAgain(
  console: MountedConsole,
  { req, res }: PageExchange,
  operator: Operator,
  password: string,
): Promise<Operator> {
  const now = console.now();
  const origin = { address: console.address(req), now, isAtPages: true };
  const { id } = await console.login({ username: operator.name, password }, origin);
  await console.sessions.remove(operator.session);
  sendSession(console.site, { req, res }, id);
  return { ...operator, session: id, opened: now };
}

interface FormReader {
  readonly operator: Operator;
  readonly part: { readonly part: string; readonly maxBytes: number } | null;
}

/** Throws `forbidden` unless a page of this session sent the form; a file is not even received before that is known. */
async function readForm(
  console: MountedConsole,
  { req, res }: PageExchange,
  { operator, part }: FormReader,
): Promise<{ form: Form['parameters']; received: Form['received'] }> {
  const { files, uploads, buffered } = console;
  const address = console.address(req);
  const visitor: Visitor = { caller: operator.caller, session: operator.session, address, key: addressKey(address) };
  const receive: ReceivePart = (incoming, fields) => {
    check(req, operator, fields);
    return uploads.receive({ ...incoming, declared: declaredLength(req) }, visitor, res);
  };
  checkHead(req, part);
  continueReading(res);
  const discard: Files['discard'] = (received) => files.discard(received);
  const form = await gather(req, Object.create(null), { part, receive, discard, ...buffered.lease(visitor.key, res) });
  check(req, operator, form.parameters);
  const { _csrf, ...parameters } = form.parameters;
  return { form: parameters, received: form.received };
}

function check(req: Request, { session }: Operator, { _csrf }: Readonly<Record<string, unknown>>): void {
  if (!isFromElsewhere(req) && isTokenOf(session, _csrf)) return;
  throw new ServiceError('forbidden', 'This form belongs to another session: open the page again.');
}

/** Why a request is turned away: it has no session, or the site does not admit its user. */
type Reason = 'no session' | 'not admitted';

async function operatorOf(console: MountedConsole, req: Request): Promise<Operator | Reason> {
  const session = sessionIn(req, console.site);
  return session === null ? 'no session' : operatorIn(console, session);
}

async function operatorIn(
  { sessions, site, store, principal, now }: MountedConsole,
  session: string,
): Promise<Operator | Reason> {
  const found = await sessions.operator(session, now());
  const user = found?.caller.user ?? null;
  if (found === null || user === null) return 'no session';
  const record = await userRecord(store, principal, user);
  const admitted = site.enter(found.caller, roleOf({ ...record, admin: found.caller.admin }));
  if (admitted === null) return 'not admitted';
  const { caller, role } = admitted;
  return { caller: { ...caller, user }, role, name: String(record.username ?? user), session, opened: found.opened };
}

const logIn: Handler = async (console, exchange) => {
  const { site, sessions } = console;
  const { req, res } = exchange;
  const now = console.now();
  const form = readPairs(await textOf(console, exchange));
  const problem = await (async () => {
    try {
      if (isFromElsewhere(req)) throw new ServiceError('forbidden', 'Log in on the page itself.');
      const { username, password } = form;
      const origin = { address: console.address(req), now, isAtPages: true };
      const session = await console.login({ username, password }, origin);
      if (typeof (await operatorIn(console, session.id)) === 'string') {
        await sessions.remove(session.id);
        return site.refusal;
      }
      sendSession(site, exchange, session.id);
      return null;
    } catch (thrown) {
      if (thrown instanceof ServiceError) return thrown.message;
      throw thrown;
    }
  })();
  if (problem === null) res.redirect(303, isOwnPath(site, form.to) ? form.to : site.base);
  else sendLogin(console, exchange, problem);
};

function isOwnPath({ base }: MountedConsole['site'], to: unknown): to is string {
  return typeof to === 'string' && to.startsWith(base) && /^(\/|\?|$)/.test(to.slice(base.length));
}

async function textOf({ buffered, address }: MountedConsole, { req, res }: PageExchange): Promise<string> {
  const { hold } = buffered.lease(addressKey(address(req)), res);
  let text = '';
  continueReading(res);
  for await (const chunk of req) {
    hold((chunk as Buffer).length);
    text += String(chunk);
    if (text.length > LONGEST_LOGIN) throw new ServiceError('too_large', 'The form is too long.');
  }
  return text;
}

const LONGEST_LOGIN = 10_000;

const logOut: Handler = async (console, exchange) => {
  const operator = await operatorOf(console, exchange.req);
  if (typeof operator === 'string') return turnAway(console, exchange, operator);
  await readForm(console, exchange, { operator, part: null });
  await console.sessions.remove(operator.session);
  sendSession(console.site, exchange, null);
  exchange.res.redirect(303, console.site.base);
};

/** Redirects a request for a page that has no session to the login form, and refuses any other. */
function turnAway(console: MountedConsole, exchange: PageExchange, reason: Reason): void {
  const { req, res } = exchange;
  if (reason === 'no session' && req.method !== 'POST') {
    res.redirect(303, `${console.site.base}/login?${new URLSearchParams({ to: req.originalUrl })}`);
    return;
  }
  res.status(reason === 'no session' ? 401 : 403);
  sendLogin(console, exchange, reason === 'no session' ? 'Log in first.' : console.site.refusal);
}

function sendLogin(console: MountedConsole, { req, res }: PageExchange, problem: string): void {
  const { to = '' } = queryOf(req);
  res.end(console.render('login', { ...frame(console, { title: 'Log in', operator: null, path: '' }), to, problem }));
}

function sendPage(console: MountedConsole, { req, res }: PageExchange, operator: Operator, answered: PageAnswer): void {
  send(console, { req, res, query: queryOf(req) }, operator, answered);
}

function requestParts({ site }: MountedConsole, req: Request): Pick<PageRequest, 'params' | 'query' | 'kept'> {
  return { params: paramsOf(req), query: queryOf(req), kept: savedChoices(req, site) };
}

/** Throws not_found for U+0000, which PostgreSQL refuses in any text and no id contains. */
function paramsOf(req: Request): Readonly<Record<string, string>> {
  const params = Object.entries(req.params).map(([name, value]) => [name, String(value)] as const);
  if (params.some(([, value]) => value.includes('\0'))) throw new ServiceError('not_found', 'There is no such page.');
  return Object.fromEntries(params);
}

function queryOf({ originalUrl }: Request): ReturnType<typeof readPairs> {
  const mark = originalUrl.indexOf('?');
  return readPairs(mark < 0 ? '' : originalUrl.slice(mark + 1));
}
