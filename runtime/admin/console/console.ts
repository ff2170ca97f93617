// A site of pages, such as the operators' pages: finds the page, admits only the users of the site, reads forms, and answers
// with HTML.

import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Login } from '../../auth/login.js';
import { roleOf, userRecord } from '../../auth/roles.js';
import type { Sessions } from '../../auth/sessions.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { checkHead, declaredLength, readParameters } from '../../http/body.js';
import type { BufferLimits } from '../../http/buffer-limits.js';
import { classifyError } from '../../http/errors.js';
import type { Visitor } from '../../http/limits.js';
import type { Files, Form, ReceivePart } from '../../http/multipart.js';
import { addressKey } from '../../http/rate-limit.js';
import { readPairs } from '../../http/raw-parameters.js';
import { continueReading } from '../../http/server.js';
import type { Uploads } from '../../http/uploads.js';
import { setPageHeaders } from '../../pages/headers.js';
import { createTemplates } from '../../pages/templates.js';
import type { Records } from '../../store/records.js';
import { createPageFilter, type PageFilter, requireRole } from './access.js';
import { openQuestion, PASSWORD_VALID, questionPage, sentPassword, withoutAnswers } from './confirm.js';
import type { FilePart, Operator, PageRequest, PageRoute } from './page.js';
import { frame, type PageExchange, type PageFrame, send } from './send.js';
import { isCrossOrigin, isTokenOf, savedChoices, sendSession, sessionIn } from './session.js';
import { pageView } from './view.js';

export interface ConsoleParts extends PageFrame {
  readonly routes: readonly PageRoute[];
  readonly principal: AnyDefinition;
  readonly store: Pick<Records, 'get'>;
  readonly sessions: Sessions;
  readonly login: Login;
}

/** The functions of the server that a site uses. */
export interface ConsoleHost {
  readonly uploads: Uploads;
  readonly files: Files;
  readonly bufferLimits: BufferLimits;
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
  const handling =
    (pattern: string, handler: Handler): RequestHandler =>
    (req, res) =>
      answer(console, { req, res, pattern }, handler);
  router.get(
    '/login',
    handling('/login', async (mounted, exchange) => sendLogin(mounted, exchange, '')),
  );
  router.post('/login', handling('/login', logIn));
  router.post('/logout', handling('/logout', admitted(logOut)));
  for (const route of parts.routes) {
    const handler = admitted((mounted, exchange, operator) => serve(mounted, exchange, operator, route));
    router[route.method === 'GET' ? 'get' : 'post'](route.path, handling(route.path, handler));
  }
  const unknown = admitted(() => {
    throw new ServiceError('not_found', 'There is no such page.');
  });
  router.use(handling('/*', unknown));
  return router;
}

type Handler = (console: MountedConsole, exchange: PageExchange) => Promise<void>;
type OperatorHandler = (console: MountedConsole, exchange: PageExchange, operator: Operator) => Promise<void>;

function admitted(handler: OperatorHandler): Handler {
  return async (console, exchange) => {
    const operator = await operatorOf(console, sessionIn(exchange.req, console.site));
    if (typeof operator === 'string') return turnAway(console, exchange, operator);
    return handler(console, exchange, operator);
  };
}

/** Turns every error into a page that says what is wrong. */
async function answer(
  console: MountedConsole,
  { req, res, pattern }: Omit<PageExchange, 'query'>,
  handler: Handler,
): Promise<void> {
  let exchange: PageExchange = { req, res, pattern, query: {} };
  console.entered(res, console.site.base + pattern);
  setPageHeaders(res);
  try {
    exchange = { ...exchange, query: queryOf(req) };
    await handler(console, exchange);
  } catch (thrown) {
    const { error, bug } = classifyError(thrown);
    const message = bug === null ? error.message : `${error.message} Request id: ${console.failed(res, bug)}`;
    const page = pageView({ title: 'That did not work', problem: message, sections: [] });
    const status = console.statusOf(error);
    await admitted(async (_, __, operator) => send(console, exchange, operator, { page, status }))(console, exchange);
  }
}

async function serve(
  console: MountedConsole,
  exchange: PageExchange,
  operator: Operator,
  route: PageRoute,
): Promise<void> {
  requireRole(operator.role, route);
  const { req, query } = exchange;
  const params = paramsOf(req);
  const part = route.part?.(params) ?? null;
  const { form, received } = route.method === 'GET' ? NO_FORM : await readForm(console, exchange, operator, part);
  let stored = false;
  try {
    const upload = received && (await console.files.keep(received));
    const kept = savedChoices(req, console.site);
    const sent = { params, query, kept, form, upload, operator, now: console.now() };
    const confirmed = await askFirst(console, exchange, route, sent);
    if (confirmed === null) return;
    const answered = await route.run(confirmed);
    stored = 'to' in answered || ('page' in answered && answered.stored === true);
    send(console, exchange, confirmed.operator, answered);
  } finally {
    if (received !== null) await (stored ? console.files.settle(received) : console.files.discard(received));
  }
}

const NO_FORM = { form: {}, received: null };

/**
 * Asks the question that comes first. @param sent the form, with the answers so far
 * @returns the request without the answers, in a new session after a password; null: the question was asked
 */
async function askFirst(
  console: MountedConsole,
  exchange: PageExchange,
  route: PageRoute,
  sent: PageRequest,
): Promise<PageRequest | null> {
  const { operator, now } = sent;
  const asked = { ...sent, form: withoutAnswers(sent.form) };
  const question = (await route.confirm?.(asked)) ?? null;
  if (question === null) return asked;
  const isStale = now - operator.opened > PASSWORD_VALID;
  let open = openQuestion(question, sent.form, isStale);
  if (open === null && question.password && isStale) {
    try {
      const by = await openSession(console, exchange, { username: operator.name, password: sentPassword(sent.form) });
      await console.sessions.remove(operator.session);
      return { ...asked, operator: by };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      open = { typed: question.typed ?? null, password: true, errors: { password: thrown.message } };
    }
  }
  if (open === null) return asked;
  const page = questionPage(question, open, { form: asked.form, action: exchange.req.originalUrl });
  send(console, exchange, operator, page);
  return null;
}

/** Throws ServiceError if the password is wrong, or the site does not admit the user. */
async function openSession(
  console: MountedConsole,
  exchange: PageExchange,
  { username, password }: Readonly<Record<string, unknown>>,
): Promise<Operator> {
  const origin = { address: console.address(exchange.req), now: console.now(), isAtPages: true };
  const { id } = await console.login({ username, password }, origin);
  const operator = await operatorOf(console, id);
  if (typeof operator !== 'string') {
    sendSession(console.site, exchange, id);
    return operator;
  }
  await console.sessions.remove(id);
  throw new ServiceError('forbidden', console.site.refusal);
}

/** Throws `forbidden` unless a page of this session sent the form; a file is not even received before that is known. */
async function readForm(
  console: MountedConsole,
  { req, res }: PageExchange,
  operator: Operator,
  part: FilePart | null,
): Promise<{ form: Form['parameters']; received: Form['received'] }> {
  const { files, uploads, bufferLimits } = console;
  const address = console.address(req);
  const visitor: Visitor = { caller: operator.caller, session: operator.session, address, key: addressKey(address) };
  const receive: ReceivePart = (incoming, fields) => {
    check(req, operator, fields);
    return uploads.receive({ ...incoming, declared: declaredLength(req) }, visitor, res);
  };
  checkHead(req, part);
  continueReading(res);
  const discard: Files['discard'] = (received) => files.discard(received);
  const form = await readParameters(req, Object.create(null), {
    part,
    receive,
    discard,
    ...bufferLimits.lease(visitor.key, res),
  });
  check(req, operator, form.parameters);
  const { _csrf, ...parameters } = form.parameters;
  return { form: parameters, received: form.received };
}

function check(req: Request, { session }: Operator, { _csrf }: Readonly<Record<string, unknown>>): void {
  if (!isCrossOrigin(req) && isTokenOf(session, _csrf)) return;
  throw new ServiceError('forbidden', 'This form belongs to another session: open the page again.');
}

/** Why a request is turned away: it has no session, or the site does not admit its user. */
type Reason = 'no session' | 'not admitted';

async function operatorOf(
  { sessions, site, store, principal, now }: MountedConsole,
  session: string | null,
): Promise<Operator | Reason> {
  const current = session === null ? null : await sessions.operator(session, now());
  const user = current?.caller.user ?? null;
  if (session === null || current === null || user === null) return 'no session';
  const record = await userRecord(store, principal, user);
  const admitted = site.enter(current.caller, roleOf({ ...record, admin: current.caller.admin }));
  if (admitted === null) return 'not admitted';
  const { caller, role } = admitted;
  return { caller: { ...caller, user }, role, name: String(record.username ?? user), session, opened: current.opened };
}

const logIn: Handler = async (console, exchange) => {
  const { site } = console;
  const form = readPairs(await textOf(console, exchange));
  try {
    if (isCrossOrigin(exchange.req)) throw new ServiceError('forbidden', 'Log in on the page itself.');
    await openSession(console, exchange, form);
    exchange.res.redirect(303, isOwnPath(site, form.to) ? form.to : site.base);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    sendLogin(console, exchange, thrown.message);
  }
};

function isOwnPath({ base }: MountedConsole['site'], to: unknown): to is string {
  return typeof to === 'string' && to.startsWith(base) && /^(\/|\?|$)/.test(to.slice(base.length));
}

async function textOf({ bufferLimits, address }: MountedConsole, { req, res }: PageExchange): Promise<string> {
  const { hold } = bufferLimits.lease(addressKey(address(req)), res);
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

const logOut: OperatorHandler = async (console, exchange, operator) => {
  await readForm(console, exchange, operator, null);
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

function sendLogin(console: MountedConsole, { res, query }: PageExchange, problem: string): void {
  const { to = '' } = query;
  res.end(console.render('login', { ...frame(console, 'Log in', null, ''), to, problem }));
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
