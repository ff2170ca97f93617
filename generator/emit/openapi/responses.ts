// The reusable parts of answers that are no errors: headers, security, the envelope of lists, the answer of a delete.

import { component, type Fragment } from './fragment.js';

/** Which session an operation needs: one, none, or either. */
export const SECURITY = {
  required: [{ bearer: [] }, { session_id: [] }],
  optional: [{}, { bearer: [] }, { session_id: [] }],
  none: [],
} as const;

/** Both ways to send a session with a request (D11). */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The session id; keeps it out of addresses and logs.' },
  session_id: { type: 'apiKey', in: 'query', name: 'session_id', description: 'The session id as a parameter.' },
} as const;

/** Headers of every answer that is no error. */
export const ANSWER_HEADERS: Fragment = {
  'X-Request-Id': component('headers', 'X-Request-Id'),
  'Ignored-Parameters': component('headers', 'Ignored-Parameters'),
};

/** An answer with a JSON body. */
export function jsonAnswer(description: string, schema: Fragment): Fragment {
  return { description, headers: ANSWER_HEADERS, content: { 'application/json': { schema } } };
}

/** @returns `components.headers` */
export function headers(): Fragment {
  const header = (description: string, example: string, type = 'string') => ({
    description,
    schema: { type },
    example,
  });
  return {
    'X-Request-Id': header('Id of the request in the log of the service; the one sent, or a new one.', '5Zr0m8Qx'),
    'Ignored-Parameters': header('Parameters sent that nothing here knows, there when there are any.', 'colour, nmae'),
    Location: header('Path of the new record.', '/api/example/0a01kmz3b5wqd7c8r9t2v4x6y8'),
    ETag: header('Tag of the bytes, for conditional requests.', '"9f86d081884c7d65"'),
    Vary: header('What of the request decides between encodings.', 'Accept-Encoding'),
    'Cache-Control': header('How long it may be kept, and by whom.', 'private, max-age=31536000, immutable'),
    'Content-Disposition': header('Name of the file, and whether browsers show it.', 'inline; filename="top.png"'),
    'Accept-Ranges': header('Ranges are answered.', 'bytes'),
    'Content-Range': header('Which range of how many bytes.', 'bytes 0-99/1234'),
    Allow: header('Methods that are offered at the path.', 'GET, HEAD, PUT, DELETE'),
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 30 },
    'WWW-Authenticate': header('How to send a session.', 'Bearer'),
    Deprecation: header(
      'Since when the caller is told not to use something that the request used (RFC 9745); there when it is to go.',
      '@1893456000',
    ),
    Sunset: header('When the first of what the request used goes (RFC 8594).', 'Tue, 01 Jan 2030 00:00:00 GMT'),
    Link: header('Where to read about it, with `Deprecation`.', '</openapi.json>; rel="deprecation"'),
  };
}

/** @returns the answer of a delete (D33) */
export function successResponse(): Fragment {
  return { success: jsonAnswer('Deleted.', component('schemas', '_success')) };
}

/** @returns schemas that belong to no resource; resource names never begin with `_` */
export function sharedSchemas(): Fragment {
  return {
    _success: {
      type: 'object',
      required: ['success'],
      properties: { success: { type: 'integer', const: 1, description: 'Always 1.' } },
      examples: [{ success: 1 }],
    },
    _relationships: {
      type: 'object',
      description: 'Paths of the record, of the records it refers to, and of its lists, by name.',
      required: ['self'],
      properties: { self: { type: 'string', description: 'Path of the record.' } },
      additionalProperties: { type: 'string', description: 'Path of a record or a list.' },
    },
    _paging: paging(),
  };
}

function paging(): Fragment {
  const count = (description: string, minimum: number) => ({ type: 'integer', minimum, description });
  const properties = {
    total_items: count('Records on all pages.', 0),
    total_pages: count('Number of pages.', 0),
    page_number: count('This page.', 1),
    items_per_page: count('Records on a full page.', 1),
    next_page_number: count('The page after; whether there is one, total_pages tells.', 2),
    previous_page_number: count('The page before; 1 on the first.', 1),
    next_cursor: { type: ['string', 'null'], description: 'Continues behind this page; null at the end.' },
  };
  return {
    type: 'object',
    description: 'Where in the list the page is.',
    required: Object.keys(properties),
    properties,
    examples: [
      {
        total_items: 40,
        total_pages: 2,
        page_number: 1,
        items_per_page: 25,
        next_page_number: 2,
        previous_page_number: 1,
        next_cursor: 'WyIwYTAxIl0',
      },
    ],
  };
}
