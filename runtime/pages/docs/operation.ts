// One operation on a docs page: who may call it, its parameters and responses, and the form that tries it.

import {
  type ApiDocument,
  follow,
  type ListedOperation,
  type Media,
  type Parameter,
  type RefOr,
  type Schema,
} from './document.js';
import { type Property, propertiesOf, propertyOf, type SchemaSource, typeOf, type Word } from './schema.js';

export interface Field extends Property {
  readonly id: string;
  /** Where it is sent: path, query, header or body. */
  readonly in: string;
  readonly isFile: boolean;
  readonly example: string;
}

/** What the template shows. */
export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Who may call it; null: the service sends it. */
  readonly access: Access | null;
  readonly fields: readonly Field[];
  readonly body: BodyView | null;
  readonly responses: readonly ResponseView[];
  /** A command that calls it. */
  readonly command: string;
}

interface Access {
  readonly session: boolean;
  readonly token: boolean;
  /** It works without either. */
  readonly open: boolean;
}

interface BodyView {
  readonly types: string;
  readonly properties: readonly Property[];
  readonly example: string;
  /** It is typed as JSON; otherwise each property is a field. */
  readonly isJson: boolean;
}

interface ResponseView {
  readonly status: string;
  readonly description: string;
  readonly headers: string;
  readonly types: string;
  readonly type: readonly Word[];
}

const JSON_TYPE = 'application/json';

/** @param origin of the server, for the command */
export function operationView(source: SchemaSource, listed: ListedOperation, origin: string): OperationView {
  const { method, path, isSent, operation } = listed;
  const { operationId: id, summary, description = '', deprecated = false } = operation;
  const { body, fields } = bodyOf(source, listed);
  const all = [...parametersOf(source, listed), ...fields];
  const access = isSent ? null : accessOf(operation.security ?? []);
  const view = { id, method, path, summary, description, deprecated, access, fields: all, body };
  return { ...view, responses: responsesOf(source, listed), command: isSent ? '' : commandOf(view, origin) };
}

function accessOf(security: readonly Readonly<Record<string, unknown>>[]): Access {
  const names = security.flatMap((one) => Object.keys(one));
  return {
    session: names.includes('bearer'),
    token: names.includes('token'),
    open: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
  };
}

function parametersOf(source: SchemaSource, { operation }: ListedOperation): readonly Field[] {
  return (operation.parameters ?? []).map((part) => {
    const {
      name,
      in: place,
      required = false,
      description = '',
      schema,
      example,
    } = follow(source.document, part) as Parameter;
    const property = propertyOf(source, { name, part: schema, required });
    const id = `${operation.operationId}.${name}`;
    return { ...property, id, description, in: place, isFile: false, example: textOf(example) };
  });
}

/** A JSON body is typed as a whole; one that cannot be JSON has a field for each property. What the service sends is not typed. */
function bodyOf(
  source: SchemaSource,
  { operation, isSent }: ListedOperation,
): { readonly body: BodyView | null; readonly fields: readonly Field[] } {
  const { content = {} } = operation.requestBody ?? {};
  const [[first, media] = [null, null]] = Object.entries(content).sort(([one], [other]) => rank(one) - rank(other));
  if (first === null || media === null) return { body: null, fields: [] };
  const schema = follow<Schema>(source.document, media.schema ?? {});
  const properties = propertiesOf(source, schema);
  const isJson = first === JSON_TYPE;
  const body = {
    types: Object.keys(content).join(', '),
    properties,
    example: exampleOf(source.document, media),
    isJson,
  };
  if (isJson || isSent) return { body, fields: [] };
  const fields = properties.map((property) => {
    const isFile = property.type.some(({ text }) => text.includes('binary'));
    return { ...property, id: `${operation.operationId}.${property.name}`, in: 'body', isFile, example: '' };
  });
  return { body: { ...body, properties: [] }, fields };
}

function rank(type: string): number {
  return type === JSON_TYPE ? 0 : 1;
}

function responsesOf(source: SchemaSource, { operation }: ListedOperation): readonly ResponseView[] {
  return Object.entries(operation.responses).map(([status, part]) => {
    const { description, headers = {}, content = {} } = follow(source.document, part);
    const type =
      Object.values(content).map(({ schema }) => (schema === undefined ? [] : typeOf(source, schema)))[0] ?? [];
    return {
      status,
      description,
      headers: Object.keys(headers).join(', '),
      types: Object.keys(content).join(', '),
      type,
    };
  });
}

function exampleOf(document: ApiDocument, { example, examples = {} }: Media): string {
  const [first] = Object.values(examples).map(
    (part: RefOr<{ readonly value: unknown }>) => follow(document, part).value,
  );
  return JSON.stringify(example ?? first ?? {}, null, 2);
}

function textOf(example: unknown): string {
  if (example === undefined) return '';
  return typeof example === 'object' && !Array.isArray(example) ? JSON.stringify(example) : String(example);
}

type CommandParts = Pick<OperationView, 'method' | 'path' | 'fields' | 'body' | 'access'>;

/** A shell command with the required parameters. */
function commandOf({ method, path, fields, body, access }: CommandParts, origin: string): string {
  const needed = fields.filter(({ required, isFile }) => required || isFile);
  const at = (place: string): readonly Field[] => needed.filter((field) => field.in === place);
  const filled = at('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, example || `<${name}>`),
    path,
  );
  const query = at('query')
    .map(({ name, example }) => `${name}=${example}`)
    .join('&');
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${origin}${filled}${query === '' ? '' : `?${query}`}`)}`,
    ...(access?.session && !access.open ? [`-H ${quoted('Authorization: Bearer <session>')}`] : []),
    ...(body?.isJson ? [`-H ${quoted(`Content-Type: ${JSON_TYPE}`)}`, `-d ${quoted(body.example)}`] : []),
    ...at('body').map(({ name, isFile, example }) => `-F ${quoted(`${name}=${isFile ? '@FILE' : example}`)}`),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
