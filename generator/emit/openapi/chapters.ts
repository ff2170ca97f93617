// The chapters of the document, which the docs page shows before the operations: what all operations share, and what a client
// program needs to know about lists, limits, uploads, web hooks and errors.

import { API_KEYS } from '../../../runtime/contract/needs.js';
import { resourceLookup } from '../../model/find.js';
import type { Model } from '../../model/model.js';
import { hasTokens } from '../../model/promises.js';
import { hasHookRoutes } from '../../model/routes.js';
import { hasStandardFormat } from './callbacks.js';
import { ERRORS } from './error-table.js';
import { clientCodes } from './errors.js';

interface Chapter {
  readonly title: string;
  /** Empty if it does not apply to the service. */
  readonly text: string | ((model: Model) => string);
}

/** @returns Markdown */
export function chapters(model: Model): string {
  return CHAPTERS.flatMap(({ title, text }) => {
    const written = typeof text === 'string' ? text : text(model);
    return written === '' ? [] : [`## ${title}\n\n${written.trim()}`];
  }).join('\n\n');
}

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Parameters',
    text: `
A request has one set of named parameters, taken from the query string and the body of any method. The body
is a JSON object, a urlencoded form or multipart fields, and takes precedence over the query. A value sent as text is
converted to the type of its parameter; text that does not convert is \`invalid\`. Unknown parameters are ignored and
listed in the response header \`Ignored-Parameters\`.`,
  },
  {
    title: 'Sessions',
    text: `
\`POST /api/session\` returns a session id. Send it as \`Authorization: Bearer <id>\`. The parameter \`session_id\`, in the
query or the body, also works, but ends up in addresses and logs. Where a session is optional, an expired one is
ignored.`,
  },
  {
    title: 'Tokens',
    text: (model) =>
      hasTokens(resourceLookup(model))
        ? `
A program that has no password to keep sends the token of an API key: \`Authorization: Bearer <token>\`. The response to
\`POST /api/${API_KEYS}\` shows it once, that to \`POST /api/${API_KEYS}/{id}/token\` shows a new one and ends the old one. The
program then acts as the key's user, within the key's scope: \`read\`, or \`write\` for everything, and only the records of
its \`resources\`, if it lists any. No token reaches API keys and sessions, or changes users. One that is unknown, expired
or revoked is \`invalid_token\`, also where a session is optional; what is beyond the scope is \`insufficient_scope\`.`
        : '',
  },
  {
    title: 'Versions',
    text: ({ versions = [], resources }) => {
      if (versions.length === 0) return '';
      const messages = resources.some(hasHookRoutes)
        ? ' The messages of a web hook have the names of the version that it remembers.'
        : '';
      const all = versions.map(({ version, sunset }) => `\`${version}\`${sunset ? ` (until ${sunset})` : ''}`);
      return `
A client that sends \`Punchboard-Version: <date>\` is answered as on that day, whatever has been renamed or added since. The dates
are ${all.join(', ')}. Without the header it gets the newest version, unless the operator has chosen another. The document of a
version is at \`/openapi.json?version=<date>\`. Responses under a version have its \`Sunset\`, and \`Deprecation\` once there is a
newer one. A session remembers the version of the header with which it was opened, or that of its API key; its requests
without the header are answered under that version.${messages}`;
    },
  },
  {
    title: 'Methods',
    text: `
A client that can only send GET and POST sends \`POST\` with the header \`X-HTTP-Method: PUT\` or
\`X-HTTP-Method: DELETE\`. HEAD is supported wherever GET is.`,
  },
  {
    title: 'Retries',
    text: `
Operations that take the header \`Idempotency-Key\`, 1 to 255 printable characters of your choice, can be sent again
safely: within 24 hours a request with the same key gets the first answer and is not carried out again. Quotes around
the key are ignored. The same key with other parameters is refused with \`idempotency_key_reused\`. A request that
arrives while the first is in progress may get a conflict, whose \`Retry-After\` says when to try again.`,
  },
  {
    title: 'Updates',
    text: `
Only the parameters that are sent change. Null clears an optional value or restores its default; a required value
cannot be cleared. On create, null is the same as leaving the parameter out. Setting an image to another file resets
its \`has_proofed_\` flag unless the same request sets it. \`PATCH\` does the same as \`PUT\`, also with a JSON merge patch
(RFC 7396); a JSON field is replaced as a whole.`,
  },
  {
    title: 'Concurrent edits',
    text: `
Every response with one record has its tag in \`ETag\`. A \`PUT\`, \`PATCH\`, \`DELETE\` or action with that tag in
\`If-Match\` is carried out only if the record has not changed since; otherwise it is refused with
\`precondition_failed\`, and \`ETag\` has the tag of today: read the record again and repeat the change. \`*\` stands for
any tag, and several are separated by commas.`,
  },
  {
    title: 'Lists',
    text: `
A list has \`items\` and \`paging\`. \`_items_per_page\` is 25 unless you send 1 to 100. \`_page_number\` asks for a page;
\`_cursor\` continues a list of any length at the same cost: send the \`next_cursor\` of the answer before, until it is
null. \`_order_by=-date_created,name\` asks for another order, where \`-\` means descending. One request reads a bounded
number of rows: a list that it could not finish says \`"complete":false\`; its \`total_items\` is a lower bound, a page
may hold fewer items than requested, and the cursor goes on.`,
  },
  { title: 'Ranges', text: ranges },
  {
    title: 'Limits',
    text: `
The service limits the requests per minute of each user, or of each address without a session. Expensive requests count
as several. Beyond the limit the answer is \`rate_limited\`, and \`Retry-After\` is the number of seconds to
wait. A service that is busy or about to stop answers \`unavailable\`; send the request again later. The limits of each
parameter are in its schema.`,
  },
  { title: 'Uploads', text: uploads },
  { title: 'Web hooks', text: webHooks },
  {
    title: 'Client',
    text: `
The service's repository has a typed client for Node and browsers in \`generated/client\`, without dependencies; \`npm pack\`
there makes a package of it, and its README has a program. It logs in again when a session has expired. It repeats a request
that was limited, that met a busy service, or whose connection was lost; a create has a key, so that it is made once.`,
  },
  {
    // Paths at old names would triple the document, and add nothing.
    title: 'Old names',
    text: ({ resources }) =>
      resources.every(({ oldNames }) => oldNames.length === 0)
        ? ''
        : `
Some types had other names, which their tags list (\`x-old-names\`). Each path at or below \`/api/<type>\` is served at or
below \`/api/<old name>\` as well, deprecated and not listed here. An old name that is an identity in lower case has
only the records of that identity.`,
  },
  // Each profile replaces this text with its own.
  {
    title: 'Wire profile',
    text: `
This document describes the profile \`plain\`, which a server uses unless it is started with \`--wire\`. Every server
serves the document of its own profile at \`/openapi.json\`.`,
  },
  { title: 'Errors', text: errors },
];

function ranges({ resources }: Model): string {
  const [resource] = resources.filter((one) => one.ranges.length > 0);
  const [column] = resource?.ranges ?? [];
  if (resource === undefined || column === undefined) return '';
  return `
Lists can be asked for bounds of some properties, such as \`${column}\` of a ${resource.title.toLowerCase()}: \`${column}[gte]\` and
\`${column}[lte]\` include the value, \`${column}[gt]\` and \`${column}[lt]\` exclude it. A record without a value is in no range. The
parameters of each list say which properties take bounds.`;
}

function uploads({ resources }: Model): string {
  const resource = resources.find(({ upload }) => upload !== null);
  if (resource === undefined || resource.upload === null) return '';
  const { part, maxBytes } = resource.upload;
  return `
\`POST /api/${resource.name}\` takes multipart/form-data: the bytes in the part \`${part}\`, at most ${maxBytes} of them, and
other parameters as fields beside it. A part without a file name and without bytes, which browsers send if no file was chosen,
counts as missing. The type of a file is told from its content, not from its name. Upload first, and then send the id of the
${resource.title.toLowerCase()} where another record refers to it.`;
}

function webHooks({ resources }: Model): string {
  const hook = resources.find(hasHookRoutes);
  const standard = hasStandardFormat(resources)
    ? ` With \`format\` set to \`standard\`, the body is JSON instead: \`type\` is the event, \`timestamp\` when it happened,
and \`data\` the message.`
    : '';
  const exchange = hook?.actions.some(({ name }) => name === 'exchange')
    ? ` \`POST /api/${hook.name}/<id>/exchange\` makes a new secret, and for 24 hours both secrets sign.`
    : '';
  return hook === undefined
    ? ''
    : `
\`POST /api/${hook.name}\` subscribes an address to an event. Each callback is a POST of a form with \`epoch\` (seconds since
1970), \`message\` (JSON text) and \`hmac\`, the HMAC with SHA-256 over \`epoch.message\`, in hex, whose key is the
\`private_key\` of the API key. It has a header \`Delivery-Id\`. Check \`hmac\` over the text of \`message\` as it arrived,
refuse an old \`epoch\`, and ignore a \`Delivery-Id\` that you know. Answer 200 within ten seconds and do the work
afterwards: anything else is a failure, and the callback is sent again after 1, 2, 3, … hours.

Every callback also has the headers \`Webhook-Id\`, \`Webhook-Timestamp\` and \`Webhook-Signature\` of Standard Webhooks, over the
body as it is sent, so that the libraries at standardwebhooks.com verify it, and \`verifyCallback\` of the client either format.${standard} The secret is \`whsec_\` and, in
base64, the HMAC with SHA-256 over the text \`whsec\` whose key is the \`private_key\`.${exchange}`;
}

/** A row for each value of `code`. */
function errors(): string {
  const rows = new Map<string, string>();
  for (const row of Object.values(ERRORS)) {
    for (const code of clientCodes(row)) {
      if (!rows.has(code)) rows.set(code, `| \`${code}\` | ${row.status} | ${row.codes[code] ?? row.when} |`);
    }
  }
  return `
An error is \`application/problem+json\` (RFC 9457): \`detail\` is for people, \`code\` for programs, and \`request_id\` finds the
request in the log of the service. Several invalid parameters are reported together, in \`errors\`.

| code | status | meaning |
|---|---|---|
${[...rows.values()].join('\n')}`;
}
