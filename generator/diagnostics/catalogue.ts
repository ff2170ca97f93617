// Every mistake an author can make: its stable code, its message, and a hint on what to do about it.
// The placeholders in braces are typed: a call with a wrong or a missing one does not compile. No positions here.

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
  E0101: error('invalid YAML: {problem}'),
  E0102: error('duplicate key "{key}"', 'keep one of the two'),
  E0103: error('a tab is used for indentation', 'indent with spaces'),
  E0104: error('the file holds more than one YAML document', 'each file describes one thing; remove "---"'),
  E0105: error('the file is empty', 'remove the file, or describe something in it'),
  E0106: error('a file must be a map of keys, not {found}'),
  E0107: error('aliases are not supported', 'put what is shared into a convention in conventions.yaml and extend it'),
  E0108: error('a key must be plain text'),
  E0109: error('a control character, or a byte that is not UTF-8', 'save the file as UTF-8'),
  E0110: error('unsupported tag {tag}', 'remove the tag'),
  E0111: error(
    'this file is not part of a spec',
    'descriptors go into resources/<name>.yaml; conventions.yaml and events.yaml are next to that folder',
  ),
  E0112: error('nested too deeply', 'at most {limit} levels are allowed'),
  E0113: error('wrong indentation', 'indent all keys of one map by the same number of spaces'),
  E0114: error('this {opening} is never closed', 'add the missing {closing}'),

  // 02: the form of a descriptor
  E0201: error('unknown key "{key}"{where}'),
  E0202: error('{what} must be {expected}, not {found}'),
  E0203: error('{what} cannot be {value}', 'use one of: {allowed}'),
  E0204: error('missing key "{key}"{where}'),
  E0205: error('{what} must be {limit}'),
  E0206: error('{what} must be {form}, not {value}'),
  E0207: error('{what} must not be empty'),
  E0208: error('{what} lists the same value twice'),
  E0209: error('invalid name {name}{where}', 'use {form}'),
  E0210: error('"{key}" does not apply to a field of kind {kind}', 'kinds it applies to: {kinds}'),
  E0211: error('the field "{field}" has no kind', 'use one of: {kinds}'),
  E0212: error('the computed field "{field}" needs exactly one of copy, count, sum, latest and text'),
  E0213: error('an action cannot have a parameter of kind {kind}', 'use one of: {kinds}'),
  E0214: error('the payload of {event} needs exactly one of schema and record'),
  E0215: error(
    '"{key}" does not apply to a parameter of an action',
    'the parameter is not stored; the hand-written action decides what to do with it',
  ),
  E0216: error(
    '"{field}" has "times", but its name does not say where the number goes',
    'write it as "{field}{number}"',
  ),
  E0217: error(
    'the action "{action}" sets fields, so it takes no parameters',
    'remove "parameters", or "sets" and write the action by hand',
  ),
  E0218: error('"{key}" is reserved for a later version', 'remove it'),

  // 03: names
  E0301: error('the resource is named "{resource}", but its file is {file}', 'name the file after its resource'),
  E0302: error('the resource "{resource}" is described twice', 'the other file is {other}'),
  E0303: error('unknown resource "{resource}"'),
  E0304: error('unknown convention "{convention}"'),
  E0305: error('{resource} has no field "{field}"'),
  E0306: error('the name "{name}" is already taken by {other}'),
  E0307: error('the name "{name}" is reserved: {reason}'),
  E0308: error('{resource} has no list "{list}"', 'a reference to {resource} with "list" creates one'),
  E0309: error('the name "{name}" is already taken on {parent}, by {other}', 'choose another name'),
  E0310: error('the path {operation} {path} is already taken by {other}'),
  E0311: error(
    'records of {other} are already created at {path}',
    'an alias may share a path with another resource, except for create',
  ),
  E0312: error(
    '"{word}" cannot grant access to {resource}',
    'use anyone, self, editor, a right, a reference field or a boolean field',
  ),
  E0313: error('{resource} has no right "{right}"', 'use one of: {allowed}'),
  E0314: error('"self" works only on the principal, which {resource} is not', 'name a reference to {principal}'),
  E0315: error(
    '"was: {name}" names something that still exists{now}',
    'remove {holder}, or {otherwise} if it is something new under an old name',
  ),
  E0316: error('"{field}" of {resource} is not {expected}'),
  E0317: error(
    'the name {named} was used before',
    'write "was: {name}" to bring the old one back, or "was: null" for a new one',
  ),
  E0318: error('"was: {name}" names {what}', '{advice}'),
  E0319: error('"was: {name}" is used twice: {other} already has it', 'keep one of the two'),
  E0320: error(
    'the ledger assigns the number {number} twice, to {one} and to {other}',
    'two branches each took it: take the whole ledger.json of one branch and run gen, then bring databases of the other over with `punchboard migrate adopt`',
  ),
  E0321: error('a synonym of a field of kind {kind} must be a base name: "{synonym}" would be sent as "{synonym}_id"'),
  E0322: error('"{value}" cannot name {what}: {name} is not a name', 'rename the value, or write the names out'),
  E0323: error('"{field}: null" drops nothing: no convention of the resource has the field'),
  E0324: error('the conventions {one} and {other} disagree on {key}', 'give {key} in the resource itself'),
  E0325: error(
    '{resource} has no "brief", so there is nothing to describe it with',
    'list under "brief" of {resource} what other records show',
  ),
  E0326: error(
    'there is no resource for the owner class "{class}"',
    'it is the one with that name in lower case, unless owner_classes in events.yaml names another',
  ),
  E0327: error(
    '{named} means something different on each of the merged branches',
    'undo the merge, give one of them another name on its branch with "was", run gen there, and merge again',
  ),

  // 04: values
  E0401: error('invalid {key}: {problem}'),
  E0402: error('no value fits: {problem}'),
  E0403: error('{resource} has no identity "{identity}"'),
  E0404: error('"{key}" needs "identities"'),
  E0405: error('the limit {limit} of a decimal {problem}'),
  E0406: error('a reference that is never empty cannot be set to null', 'use on_delete: cascade or restrict'),
  E0407: error('the service sets this field, so "{key}" does not apply', 'remove "{key}"'),
  E0408: error('"from: {source}" fills {fits}, but this field is of kind {kind}'),
  E0409: error('the sunset {sunset} is before the deprecation {deprecated}'),
  E0410: error('invalid JSON Schema: {problem}'),
  E0411: error('values of kind {kind} must be {expected}, not {found}'),
  E0412: error('the {key} shows {what} to callers {whom}', '{advice}'),
  E0413: error(
    '"{key}" would reveal {field}, which has "view: {view}"',
    'lists are filtered, ordered and searched by fields that everyone sees, and only those have paths; for "find", it is enough that editors see the field',
  ),
  E0414: error(
    '"unique" on {fields} leaves room for only {count} records',
    'a unique key needs a text, a number or a reference',
  ),
  E0415: error('{source} may not fit: {problem}', 'widen the limits of the field'),
  E0416: error('{field} is unique, so only one record could have the default', 'remove "default"'),
  E0417: error('no example can be made for the API document: {problem}', 'add "example"'),
  E0418: error('the action "{action}" cannot set this: {reason}', 'give it another "by"'),
  E0419: error(
    'nothing says which record a create would update',
    'it needs one set under "unique", with the parent in it, and no other; uploads always create',
  ),
  E0420: error('"{fields}" is unique already', 'remove one of the two, or add a field'),
  E0421: error('a path for {operation}, which is not offered', 'remove the path, or offer the operation'),
  E0422: error(
    '"{name}" cannot be used here: {reason}',
    'read it by a list or a reference of one placement, in a function that gets it',
  ),
  E0430: error('the value "{value}" {problem}', 'use another name'),
  E0440: error(
    '"list" would show records of {resource} that some callers may not read',
    'restrict the list to administrators, or add one boolean field to "read"',
  ),
  E0441: error(
    '"bulk" needs a reference with "place" and "list", in a resource without uploads',
    'declare it on the parent',
  ),
  E0442: error('"catalogue" does not apply here: {reason}', '{advice}, or remove it here'),
  E0443: error(
    'the identity "{identity}" already has a row in the catalogue, that of {other}',
    'write "catalogue: false" for one of the two',
  ),
  E0444: error(
    'a row of the catalogue has one kind of piece, but {resource} has two: {one} and {other}',
    'write "list: false" on one of them',
  ),
  E0445: error('the action "{action}" copies the record, so it has no "{key}"', 'remove one of the two'),
  E0446: error('records of {resource} cannot be copied: {reason}', 'change that, or write the action by hand'),
  E0447: error('records of {resource} cannot have this token: {reason}', 'remove it'),
  E0450: error(
    'a {made} is not placed with the {maker} that it would be made with',
    'give {made} a reference to {maker} with "place: true"',
  ),
  E0451: error('a {made} cannot be made without "{field}"', 'give it a value under "make", or make it optional'),
  E0452: error('a {made} cannot be made with another record: {reason}', 'change that, or let callers create it'),
  E0453: error('{source} cannot be copied into {field}: {reason}', 'fill in a literal, or copy another field'),

  // 05: the whole
  E0501: error('no resource is the principal', 'add "principal: true" to the resource whose records log in'),
  E0502: error('only one resource can be the principal, and {other} already is'),
  E0503: error('only one resource can store uploads, and {other} already does'),
  E0504: error('a field of kind {kind} needs a resource that stores uploads', 'add "upload" to one resource'),
  E0505: error('only one reference can determine placement, and "{other}" already does'),
  E0506: error('circular placement: {circle}'),
  E0507: error('placement ends at {end}, which is not the principal', 'give {end} a reference with "place: true"'),
  E0508: error('circular access: {circle}'),
  E0509: error('"inside" needs an owner at both ends, and {resource} has no placement'),
  E0510: error('"{source}" needs uploads, and {resource} does not store any'),
  E0511: error('{member} does not name a user: it has no reference to {principal}'),
  E0512: error(
    '{member} names more than one user: {fields}',
    'a joining resource needs exactly one reference to the principal',
  ),
  E0513: error(
    '"{field}" determines placement, so it must not be empty',
    'add "required: true" or "default: session.user"',
  ),
  E0514: error('"by" compares references to different resources: {one} and {other}'),
  E0515: error('session.user is a record of {principal}, but this refers to {to}'),
  E0516: error('conventions.yaml is missing', 'it holds the title, version and summary of the service'),
  E0517: error('Citus cannot {task}: {record} may be placed apart from {others}', '{advice}'),
  E0518: error(
    '"by: {by}" could mean this {resource} or the one that it refers to',
    'give one of the two references another name',
  ),

  E0519: error(
    'required references form a circle, so that no first record can be created: {circle}',
    'leave "required" out of one of the references; it can be set once both records are there',
  ),

  // 06: allowed, but probably unintended
  W0601: warning('no resource extends the convention "{convention}"'),
  W0602: warning('"{value}" is not an event, though other values are', 'events are declared in events.yaml'),
  W0604: warning(
    '"{name}" is new and "{was}" is gone',
    'if it was renamed, write "was: {was}", and it keeps its values',
  ),
  W0605: warning('{what}', 'its values stay in the database until a migration is allowed to drop them'),
  W0606: warning('"{path}" is taken as text', 'to copy the field, name it under "copy" in the default'),
  W0607: warning(
    '"{name}" used to be called "{field}", and {module}, which would use it to {purpose}, knows only that name',
    'if it still has that meaning, rename it back',
  ),

  // 07: what hand-written code needs
  E0701: error('{resource} is missing {what}, which {module} needs to {purpose}', 'add "{write}"'),
  E0702: error('"{field}" of {resource} is not what {module} needs to {purpose}', 'declare it as "{write}"'),
  E0703: error('{resource} declares {what}, but there is no code for it', '{expected}'),
  E0704: error(
    '{module} uses the field "{field}" to {purpose}, and would not find it under the name "{name}"',
    'keep the name "{field}", and add "shown_as: [{name}]" and "synonyms: [{name}]"',
  ),
  E0705: error(
    '{module} finds a field to {purpose} by the name "{field}", which moves from "{name}" to another field',
    'give the new field another name',
  ),

  // 08: versions
  E0801: error('the file {file} holds the version {version}', 'name a file after its version'),
  E0802: error(
    'the ledger has no number {number}',
    'restore the file from version control; only `punchboard version cut` writes it',
  ),
  E0803: error('the sunset {sunset} is not after the version {version}'),
};

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;

type HolesIn<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesIn<Rest> : never;
type HintOf<E> = E extends { readonly hint?: infer H } ? H : never;

/** The placeholders in the message and hint of a code. */
export type MessageValues<C extends Code> = Readonly<
  Record<HolesIn<Catalogue[C]['message']> | HolesIn<HintOf<Catalogue[C]>>, string>
>;
