// The reusable parts of successful responses: headers, security, the envelope of lists, the response to a delete.

import type { Resource } from '../../model/model.js';
import { component, type Fragment, integer, object, text, withNull } from './fragment.js';

/** How to send a session with a request (D11); the parameter `session_id` is described only in the text. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The session id; keeps it out of addresses and logs.' },
} as const;

/** The same schemes, and how programs send the token of an API key (D61). */
export const SECURITY_SCHEMES_WITH_TOKENS = {
  ...SECURITY_SCHEMES,
  token: { type: 'http', scheme: 'bearer', description: 'The token of an API key, as far as its scope reaches.' },
} as const;

/** Headers of every successful response. */
const RESPONSE_HEADERS: Fragment = {
  'X-Request-Id': component('headers', 'X-Request-Id'),
  'Ignored-Parameters': component('headers', 'Ignored-Parameters'),
};

/** A response with a JSON body. */
export function jsonResponse(description: string, schema: Fragment): Fragment {
  return { description, headers: RESPONSE_HEADERS, content: { 'application/json': { schema } } };
}

/** A response with one record, and its tag (D57). */
export function recordAnswer(description: string, { name }: Resource): Fragment {
  const answer = jsonResponse(description, component('schemas', name));
  return { ...answer, headers: { ...RESPONSE_HEADERS, ETag: component('headers', 'ETag') } };
}

/** The response with a new record. */
export function createdAnswer(resource: Resource): Fragment {
  return withLocation(recordAnswer('The new record as its creator sees it.', resource));
}

/** Adds the path of the new record to a response. */
export function withLocation(response: Fragment): Fragment {
  const headers = { ...(response.headers as Fragment), Location: component('headers', 'Location') };
  return { ...response, headers };
}

/** @returns `components.headers` */
export function headers(): Fragment {
  const header = (description: string, example: string, type = 'string') => ({
    description,
    schema: { type },
    example,
  });
  return {
    'X-Request-Id': header(
      'Id of the request in the log of the service: the one that was sent, or a new one.',
      '5Zr0m8Qx',
    ),
    'Ignored-Parameters': header('Unknown parameters that were ignored; absent if there were none.', 'colour, nmae'),
    Location: header('Path of the new record.', '/api/example/0a01kmz3b5wqd7c8r9t2v4x6y8'),
    ETag: header('Entity tag of the record or the content, for conditional requests.', '"7"'),
    Vary: header('Request header that determines the encoding.', 'Accept-Encoding'),
    'Cache-Control': header(
      'How long, and by whom, the response may be cached.',
      'private, max-age=31536000, immutable',
    ),
    'Content-Disposition': header(
      'Name of the file, and whether browsers display it or save it.',
      'inline; filename="top.png"',
    ),
    'Accept-Ranges': header('Range requests are supported.', 'bytes'),
    'Content-Range': header('The range that is returned, and the total number of bytes.', 'bytes 0-99/1234'),
    'Accept-Post': header(
      'Media types of bodies that the service reads; sent when it did not read the one in the request.',
      'application/json, application/x-www-form-urlencoded, multipart/form-data',
    ),
    'Accept-Patch': header(
      'Media types of bodies of a PATCH that the service reads; sent when it did not read the one in the request.',
      'application/json, application/merge-patch+json',
    ),
    Allow: header('Methods that the path supports.', 'GET, HEAD, PUT, PATCH, DELETE'),
    'Retry-After': {
      description: 'Seconds to wait before trying again.',
      schema: { type: 'integer', minimum: 1 },
      example: 30,
    },
    'WWW-Authenticate': header('How to send a session.', 'Bearer'),
    Deprecation: header(
      'When an item that the request used was deprecated (RFC 9745); absent if none is deprecated.',
      '@1893456000',
    ),
    Sunset: header(
      'When the first deprecated item that the request used will be removed (RFC 8594).',
      'Tue, 01 Jan 2030 00:00:00 GMT',
    ),
    Link: header('Where the deprecation is documented; sent with `Deprecation`.', '</openapi.json>; rel="deprecation"'),
  };
}

/** @returns the response to a delete (D33) */
export function successResponse(): Fragment {
  return { success: jsonResponse('Deleted.', component('schemas', '_success')) };
}

/** @returns schemas that belong to no resource; resource names never begin with `_` */
export function sharedSchemas(): Fragment {
  const success = { type: 'integer', const: 1, description: 'Always 1.' };
  return {
    _success: object({}, { success }, { examples: [{ success: 1 }] }),
    _relationships: object(
      { description: 'Paths of the record, of the records it refers to, and of its lists, by name.' },
      { self: text('Path of the record.') },
      { additionalProperties: text('Path of a record or a list.') },
    ),
    _paging: paging(),
  };
}

function paging(): Fragment {
  const properties = {
    total_items: integer('Records on all pages.'),
    total_pages: integer('Number of pages.'),
    page_number: integer('This page.', 1),
    items_per_page: integer('Records per page.', 1),
    next_page_number: integer('Number of the next page; compare with total_pages to see whether it exists.', 2),
    previous_page_number: integer('Number of the previous page; 1 on the first.', 1),
    next_cursor: withNull(text('Continues after this page; null at the end.')),
  };
  const complete = {
    type: 'boolean',
    const: false,
    description: 'Only in long lists: there may be more records than `total_items`, which `_cursor` reaches.',
  };
  const example = {
    total_items: 40,
    total_pages: 2,
    page_number: 1,
    items_per_page: 25,
    next_page_number: 2,
    previous_page_number: 1,
    next_cursor: 'WyIwYTAxIl0',
  };
  const head = { description: 'Position of the page in the list.' };
  return object(head, { ...properties, complete }, { required: Object.keys(properties), examples: [example] });
}
