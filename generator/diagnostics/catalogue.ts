// Every mistake an author can make: its stable code, its sentence, and what to do about it.
// Holes in braces are typed: a call that fills a wrong hole, or leaves one open, does not compile. No positions here.

interface CatalogueRow {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
}

const error = <M extends string, H extends string = never>(message: M, hint?: H) =>
  ({ severity: 'error', message, ...(hint === undefined ? {} : { hint }) }) as Entry<'error', M, H>;
const warning = <M extends string, H extends string = never>(message: M, hint?: H) =>
  ({ severity: 'warning', message, ...(hint === undefined ? {} : { hint }) }) as Entry<'warning', M, H>;

interface Entry<S extends CatalogueRow['severity'], M extends string, H extends string> extends CatalogueRow {
  readonly severity: S;
  readonly message: M;
  readonly hint?: H;
}

export const catalogue = {
  // 01: the text of a file
  E0101: error('not YAML: {problem}'),
  E0102: error('the key "{key}" stands here twice', 'keep one of the two'),
  E0103: error('a tab where YAML wants spaces', 'indent with spaces'),
  E0104: error('more than one document in a file', 'one file describes one thing; remove "---"'),
  E0105: error('the file is empty', 'remove the file or describe something in it'),
  E0106: error('a file is a map of keys, this is {found}'),
  E0107: error('an alias; the language has none', 'say it once as a convention in conventions.yaml and extend it'),
  E0108: error('a key must be plain text'),
  E0109: error('not valid UTF-8 text, or a control character', 'save the file as UTF-8'),
  E0110: error('a tag that the language does not know: {tag}', 'remove the tag'),
  E0111: error(
    'the file does not belong here',
    'descriptors are resources/<name>.yaml; beside them conventions.yaml and events.yaml',
  ),
  E0112: error('nested too deeply', 'at most {limit} levels'),

  // 02: the form of a descriptor
  E0201: error('unknown key "{key}"{where}'),
  E0202: error('{what} takes {expected}, this is {found}'),
  E0203: error('{what} cannot be {value}', 'one of: {allowed}'),
  E0204: error('the key "{key}" is missing{where}'),
  E0205: error('{what} must be {limit}'),
  E0206: error('{what} must be {form}, this is {value}'),
  E0207: error('{what} is empty'),
  E0208: error('{what} says the same twice'),
  E0209: error('the name {name} cannot be used{where}', 'lower case letters, digits and "_", starting with a letter'),
  E0210: error('a field of kind {kind} takes no "{key}"', 'kinds that take it: {kinds}'),
  E0211: error('the field "{field}" has no kind', 'one of: {kinds}'),
  E0212: error('the computed field "{field}" needs exactly one of copy, count and text'),
  E0213: error('an action cannot take a parameter of kind {kind}', 'one of: {kinds}'),
  E0214: error('the payload of {event} needs exactly one of schema and record'),
  E0215: error('a parameter of an action takes no "{key}"', 'it is not stored; the hand-written action decides'),

  // 03: names
  E0301: error('the resource is named "{resource}", its file {file}', 'a file is named after its resource'),
  E0302: error('the resource "{resource}" is described twice', 'also in {other}'),
  E0303: error('unknown resource "{resource}"'),
  E0304: error('unknown convention "{convention}"'),
  E0305: error('{resource} has no field "{field}"'),
  E0306: error('the name "{name}" is taken: {other} has it already'),
  E0307: error('the name "{name}" is reserved: {reason}'),
  E0308: error('{resource} has no list "{list}"', 'a list is made by a reference to {resource} with "list"'),
  E0309: error('{parent} has a second "{name}": {other} has that name already', 'give the list another name'),
  E0310: error('the path {operation} {path} is taken: {other} has it already'),
  E0311: error(
    'creating at {path} belongs to {other}',
    'an alias may share a base path with another resource except to create',
  ),
  E0312: error(
    '"{word}" gives no access on {resource}',
    'anyone, self, editor, a right, a reference field or a boolean field',
  ),
  E0313: error('{resource} has no right "{right}"', 'one of: {allowed}'),
  E0314: error('"self" is for the principal, {resource} is none', 'name a reference to {principal}'),
  E0315: error(
    '"was: {name}" names what still exists{now}',
    'remove {holder}, or say "was: null" there if it starts anew under its name',
  ),
  E0316: error('"{field}" of {resource} is no {expected}'),
  E0317: error(
    'the name of {named} was used before',
    'say "was: {name}" to bring the old one back, or "was: null" for a new one',
  ),
  E0318: error('"was: {name}" names {what}', '{advice}'),
  E0319: error('"was: {name}" is claimed twice: {other} has it already', 'keep one of the two'),
  E0320: error(
    'the ledger gives the number {number} twice: to {one} and to {other}',
    'two branches did: take the one that is not deployed out of ledger.json, then run gen',
  ),
  E0321: error('a synonym of a field of kind {kind} is a base name: "{synonym}" would be sent as "{synonym}_id"'),

  // 04: values
  E0401: error('the {key} does not fit: {problem}'),
  E0402: error('min {min} is more than max {max}'),
  E0403: error('{resource} has no identity "{identity}"'),
  E0404: error('a default identity without identities'),
  E0405: error('limits of a decimal are whole numbers from 0 up'),
  E0406: error('a required reference cannot be set to null', 'on_delete: cascade or restrict'),
  E0407: error('the service sets this field, so it cannot be {key}', 'remove "{key}"'),
  E0408: error('"from: {source}" fills {fits}, this field is {kind}'),
  E0409: error('the sunset {sunset} is before the deprecation {deprecated}'),
  E0410: error('not a JSON Schema: {problem}'),
  E0411: error('values of kind {kind} are {expected}, this is {found}'),
  E0412: error('the copy shows {copy} to more callers than its "view: {view}"', 'say "view: {view}" here too'),
  E0413: error(
    '"{key}" gives {field} away, which has "view: {view}"',
    'only what everyone sees is filtered or ordered by',
  ),
  E0414: error(
    'no two records may have the same {fields}, and there are only {count} different values',
    'unique takes a text, a number or a reference',
  ),
  E0416: error('no two records may have the same {field}, so only one could have the default', 'remove "default"'),
  E0415: error('{source} does not always fit: {problem}', 'widen the limits of the field'),

  // 05: the whole
  E0501: error('no resource is the principal', 'one resource says "principal: true": whoever logs in'),
  E0502: error('a second principal: {other} is one already'),
  E0503: error('a second resource stores uploads: {other} does already'),
  E0504: error('a field of kind {kind}, but no resource stores uploads', 'one resource says "upload"'),
  E0505: error('a second reference gives placement: "{other}" does already'),
  E0506: error('placement runs in a circle: {circle}'),
  E0507: error('placement ends at {end}, which is not the principal', 'give {end} a reference with "place: true"'),
  E0508: error('access runs in a circle: {circle}'),
  E0509: error('"inside" needs one owner on both ends; {resource} has no placement'),
  E0510: error('"{source}" needs uploads, and {resource} stores none'),
  E0511: error('{member} names no user: it has no reference to {principal}'),
  E0512: error('{member} names more than one user: {fields}', 'a joining resource has one reference to the principal'),
  E0513: error('placement needs a target, and "{field}" may be empty', 'required: true, or default: session.user'),
  E0514: error('"by" names references to different resources: {one} and {other}'),
  E0515: error('session.user is a record of {principal}, this refers to {to}'),
  E0516: error('conventions.yaml is missing', 'it names the service: title, version and summary'),

  // 06: allowed, but hardly meant
  W0601: warning('no descriptor extends the convention "{convention}"'),
  W0602: warning('"{value}" is no event, though other values are', 'events stand in events.yaml'),
  W0603: warning(
    'no resource stands behind the class "{class}"',
    'name one under owner_classes; without it nobody can subscribe',
  ),

  // 07: what hand-written code needs
  E0701: error('{resource} lacks {what}, which {module} needs to {purpose}', 'write "{write}"'),
  E0702: error('"{field}" of {resource} does not suit {module}, which needs it to {purpose}', 'write "{write}"'),
  E0703: error('{resource} declares {what}, and there is no code for it', 'code is there for {known}'),
};

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;

type HolesIn<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesIn<Rest> : never;
type HintOf<E> = E extends { readonly hint?: infer H } ? H : never;

/** What a code's sentence and hint leave open. */
export type Holes<C extends Code> = Readonly<
  Record<HolesIn<Catalogue[C]['message']> | HolesIn<HintOf<Catalogue[C]>>, string>
>;
