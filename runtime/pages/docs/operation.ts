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
import { type Property, propertiesOf, propertyOf, type SchemaSource, typeOf } from './schema.js';

export interface Field extends Property {
  readonly id: string;
  /** Where it is sent: path, query, header or body. */
  readonly in: string;
  readonly isFile: boolean;
  readonly example: string;
}

const JSON_TYPE = 'application/json';

/** What the template shows. Without `access`, the service sends it. @param origin of the server, for the command */
export function operationView(source: SchemaSource, listed: ListedOperation, origin: string) {
  const { method, path, isSent, operation } = listed;
  const { operationId: id, summary, description = '', deprecated = false } = operation;
  const { body, fields } = bodyOf(source, listed);
  const all = [...parametersOf(source, listed), ...fields];
  const access = isSent ? null : accessOf(operation.security ?? []);
  const view = { id, method, path, summary, description, deprecated, access, fields: all, body };
  return { ...view, responses: responsesOf(source, listed), command: isSent ? '' : commandOf(view, origin) };
}

/** Who may call it; `open`: without a session or a token, too. */
function accessOf(security: readonly Readonly<Record<string, unknown>>[]) {
  const names = security.flatMap((one) => Object.keys(one));
  return {
    session: names.includes('bearer'),
    token: names.includes('token'),
    open: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
  };
}

function parametersOf(source: SchemaSource, { operation }: ListedOperation): readonly Field[] {
  return (operation.parameters ?? []).map((part) => {
    const { name, required = false, description = '', schema, ...parameter } = follow<Parameter>(source.document, part);
    const property = propertyOf(source, { name, part: schema, required });
    const id = `${operation.operationId}.${name}`;
    return { ...property, id, description, in: parameter.in, isFile: false, example: textOf(parameter.example) };
  });
}

/** A JSON body is entered as a whole, any other body property by property. Bodies that the service sends are not entered. */
function bodyOf(source: SchemaSource, { operation, isSent }: ListedOperation) {
  const { content = {} } = operation.requestBody ?? {};
  const [[first, media] = [null, null]] = Object.entries(content).sort(([one], [other]) => rank(one) - rank(other));
  if (first === null || media === null) return { body: null, fields: [] };
  const schema = follow<Schema>(source.document, media.schema ?? {});
  const properties = propertiesOf(source, schema);
  const isJson = first === JSON_TYPE;
  const types = Object.keys(content).join(', ');
  const body = { types, properties, example: exampleOf(source.document, media), isJson };
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

function responsesOf(source: SchemaSource, { operation }: ListedOperation) {
  return Object.entries(operation.responses).map(([status, part]) => {
    const { description, headers = {}, content = {} } = follow(source.document, part);
    const [schema] = Object.values(content).map((media) => media.schema);
    const type = schema === undefined ? [] : typeOf(source, schema);
    const [names, types] = [headers, content].map((one) => Object.keys(one).join(', '));
    return { status, description, headers: names, types, type };
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

interface CommandParts extends Pick<ListedOperation, 'method' | 'path'>, Pick<ReturnType<typeof bodyOf>, 'body'> {
  readonly fields: readonly Field[];
  readonly access: ReturnType<typeof accessOf> | null;
}

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
