// Why each rule of the catalogue exists, for `explain <code>`, which shows the case of that name in cases/ as its example; and
// the page of a code, with the same text.

import { type Code, catalogue } from './catalogue.js';

const REASONS: Readonly<Record<Code, string>> = {
  // 01: the text of a file
  E0101:
    'A descriptor is YAML 1.2. The parser stopped at the place shown; the mistake is often just before it, such as a ":" without a space after it.',
  E0102: 'A map holds each key once. Only one of two values could count, and a reader could not tell which.',
  E0103: 'YAML is indented with spaces only, because every editor shows tabs at a width of its own.',
  E0104: 'Each file describes one resource and is named after it, so that it can be found by its name.',
  E0105: 'A file that holds only comments describes nothing, and is probably unfinished.',
  E0106: 'Every file of a spec is a map of keys and values, never a list or a single value.',
  E0107: 'What several fields or resources share goes into a convention, where it has a name; an alias would hide it.',
  E0108: 'Keys are names, and a list or a map is not a name.',
  E0109:
    'The file contains bytes that are not UTF-8, or characters that cannot be seen. The encoding is wrong (UTF-16, Latin-1) or the file is damaged.',
  E0110: 'The language has no tags: the key determines what its value means.',
  E0111: 'gen would not read this file, so what it describes would have no effect.',
  E0112: 'No descriptor needs to be nested this deeply, and text like this can crash a parser.',
  E0113:
    'The keys of one map start in the same column. A key that is further in or further out than the others belongs to no map.',
  E0114: 'A quote or bracket that is never closed takes in the lines that follow. It is reported where it opens.',

  // 02: the form of a descriptor
  E0201: 'An unknown key is never ignored, because what it asks for would silently not happen.',
  E0202: 'Each key takes values of one type, and text is not converted to another type.',
  E0203: 'The key accepts only a few words.',
  E0204: 'Nothing can be generated without this key, and it has no sensible default.',
  E0205: 'The number is outside the range of the key.',
  E0206: 'The value has the right type but not the required form, such as a path, a date or a media type.',
  E0207: 'An empty list or text has no meaning; leave the key out instead.',
  E0208: 'The second one has no effect, so one of the two is probably a mistake.',
  E0209: 'Names become columns, parameters, properties and paths, and this form is safe in all of them.',
  E0210: 'The key has no meaning for a field of this kind. The kind of the field may come from its convention.',
  E0211: 'A field declares what it holds, unless the convention that the resource extends declares it.',
  E0212:
    'A computed field has one source: the copy of a field, the count of a list, the sum or greatest value of a field over a list, or a text.',
  E0213:
    'A parameter of an action is a plain value that is validated and passed to the hand-written function. Pass a record by its id, as text.',
  E0214: 'The payload of an event is either the record of a resource or a value described by a JSON Schema.',
  E0215:
    'Parameters of an action are neither stored nor shown, so keys about columns and records have no meaning there.',
  E0216:
    'A field with "times" stands for several, whose names differ only by their number: "side{n}" with "times: 6" stands for side1 to side6.',
  E0217:
    'An action with "sets" does nothing but set these values. One that depends on what the caller sends is written by hand.',
  E0218: 'The key has no meaning yet. If it were ignored, a later version would change what the descriptor says.',

  // 03: names
  E0301: 'If you know the name of a resource, you know its file.',
  E0302: 'A resource has one file; a second one could contradict it.',
  E0303: 'No file under spec/resources describes a resource of this name.',
  E0304: 'Conventions are the keys below "conventions" in conventions.yaml.',
  E0305:
    'Neither the resource nor the convention it extends has a field of this name. Texts and brief descriptions name columns and properties: a reference "user" is "user_id" there.',
  E0306:
    'Each name in the API belongs to one field. An image "top" produces top_id, has_proofed_top and top; a reference "game" produces game_id and game.',
  E0307: 'The service or the generated code uses this name for something else.',
  E0308:
    'A count, a sum or a greatest value is taken over a list of the resource, and such a list comes from the reference of another resource.',
  E0309:
    'The lists, actions and references of a record share the paths below it, so each needs a name of its own, and so does a path by a unique value. A list with "list: true" is named by the plural of its resource.',
  E0310: 'A path and operation together belong to one resource.',
  E0311:
    'Two resources may share a path where an id tells them apart, but a record that is being created has no id yet.',
  E0312:
    'Access is given by a word of the language, another right of the resource, a reference (callers who may edit its target, or the user it names) or a boolean field (while it is true).',
  E0313: 'Views and actions name a right declared under "access", or a word of the language.',
  E0314: '"self" means that a user is the record. Records of other resources belong to a user through a reference.',
  E0315:
    '"was" says that a column or table continues under a new name, so nothing else may use the old name without saying what it is.',
  E0316: 'The field exists, but its kind cannot be used here.',
  E0317:
    'The ledger remembers removed names, whose values may still be stored. Only the author knows whether this is the old field or a new one.',
  E0318:
    '"was" is the name of the field when gen last ran. Either nothing had this name, or it was of another kind, whose values are stored in other columns.',
  E0319: 'The stored values of one earlier field can continue under one new name only.',
  E0320:
    'Numbers were counted once, and two branches each gave the next one to something new. The ledger of one branch gives what the other has numbers of its own, and `migrate adopt` finds it by its names in databases that ran the other branch.',
  E0321:
    'An image is sent as two parameters, the id of its file and the proof flag. A synonym applies to both, so it must have neither the prefix nor the suffix of one.',
  E0322:
    'Lists and old names are made of values in lower case, and each becomes a path: it consists of lower-case letters, digits and "_" and starts with a letter.',
  E0323:
    'Null drops a field that a convention gives. A field that the conventions do not give is dropped by leaving it out.',
  E0324:
    'Conventions are equals: none of them wins over another, so what they say differently is for the resource to say.',

  E0325: 'A brief description consists of the properties that the described resource lists under "brief".',
  E0326:
    'An event is about a record, and only callers who may edit it can subscribe. Without its resource nobody could receive the event.',
  E0327:
    'Databases of both branches have something under this name, and only one of the two can keep it. Under two names, both keep their values.',

  // 04: values
  E0401:
    'Defaults, examples and conditions obey the rules of their field: the service does not store what a caller could not send.',
  E0402: 'A field needs at least one value that satisfies all of its limits. One of them may come from the convention.',
  E0403: 'Conditions and defaults choose from the identities that the resource lists.',
  E0404: 'Without identities there is nothing to choose from.',
  E0405: 'A limit is a number of the descriptor, exact to 15 digits, and itself a value that the field could have.',
  E0406: 'When the target is deleted, set_null would empty a field that must not be empty.',
  E0407: 'Callers cannot send a field that the service sets, so keys about sending it have no meaning.',
  E0408: 'Each source provides values of one kind.',
  E0409: 'A deprecation is announced before the sunset removes anything, never the other way round.',
  E0410:
    'The value of a JSON field and the payload of an event are checked against this schema (draft 2020-12), so it must compile.',
  E0411: 'All allowed values must be of the kind of the field.',
  E0412:
    'A copy, a count, a sum or a greatest value visible to more callers than what it is taken from would reveal what that hides.',
  E0413: 'A caller who can filter by a value, order by it, list by it or search it can work it out without seeing it.',
  E0414: 'Once every value is taken, nobody can ever create another record.',
  E0415: 'Values that the service fills in must satisfy the limits of the field too, or they could not be stored.',
  E0416: 'The first record without a value gets the default, and every further one is refused as a duplicate.',
  E0417:
    'Each request of the API document can be sent as it is shown. Where the schema of a field is too special for a made-up value, the descriptor has to bring one.',
  E0419:
    'A create updates the record with the same values in the one unique set. Without exactly one, or without the parent in it, it could be any record, of any owner.',
  E0418:
    'Callers of the action set the field by it. If the right depends on the field, the action would take it away, or give it.',
  E0420:
    'Each set of fields becomes one constraint of the database, and a set with a condition says no more than the same set without one.',
  E0421: 'The path is for this operation alone. A caller would be told that nothing is there.',
  E0422:
    'What a function reads is locked until its write is stored, and may be changed by it, in one transaction of one placement. Several records that are created together are all planned before the first is stored.',
  E0430:
    'Lists and paths are named by values in lower case, so that two values that differ in capitals alone would have the same ones. The database stores 1 to 60 characters.',
  E0441:
    'Records that are created together are written in one transaction, on the shard of the record that places them.',
  E0442: 'The catalogue has a row for each identity of the resources that extend one convention, and for nothing else.',
  E0443: 'Clients find a row by its identity, and create a record at the path that the row names.',
  E0444:
    'A row tells clients at which path to create the pieces of a set: records that are placed with it and listed below it.',
  E0450:
    'A record that is made with another is written in the same transaction, on the same shard, and refers back to its maker: it needs the one reference that places it.',
  E0451:
    'Nobody sends parameters for a record that is made with another, and a start makes it for existing rows without a session.',
  E0452:
    'A made record consists of its values alone, the same for each maker, and is deleted with its maker and never before.',
  E0445:
    'An action with "copies" makes a copy, and takes its name. One that does more is written by hand, without "copies".',
  E0446:
    'A copy has what callers may send, and takes along what belongs to the record. Where that can never be stored a second time, or not by the caller who copies, every request would be refused.',
  E0447:
    'A token starts with the id of its record, by which it is looked up: a second one would look the same. A module that serves records by itself makes none.',
  E0453:
    'Every row that exists when the field is added or becomes required gets the copy: a value that does not fit would stop the migration halfway.',
  E0440:
    'A list of all records is the same for every caller, so that one index serves it at any size. A flag that lets anyone read a record becomes a condition of the list; records that only some callers may read are listed below the record they belong to.',

  // 05: the whole
  E0501: 'Sessions belong to the records of one resource, so that somebody can log in.',
  E0502: 'Sessions belong to the records of one resource, so there can be only one principal.',
  E0503: 'Image and file fields refer to the one resource that stores uploads.',
  E0504: 'An image or a file is a reference to an upload, and nothing here stores uploads.',
  E0505: 'A record has one owner, so only one reference can lead to it. A reference with "parent: true" does.',
  E0506: 'Following placement from record to record must end at an owner.',
  E0507: 'The owner of a record is found by following placement to a user.',
  E0508: 'Access that is passed from record to record must start somewhere.',
  E0509: 'The owners of two records can be compared only if both have one: give each a reference with "place: true".',
  E0510: 'The name, type and size of an upload are known only where uploads are stored.',
  E0511: 'A joining resource grants access to the user its record refers to, so it needs a reference to a user.',
  E0512: 'With two references to users it is not clear which user is granted access.',
  E0513: 'A record without placement would have no owner.',
  E0514:
    'The record and the joining record are matched by the id in this reference, so both must refer to the same resource.',
  E0515: 'session.user is the caller, and a reference to another resource cannot hold it.',
  E0516: 'conventions.yaml names the service; its title, version and summary appear at the top of the API document.',
  E0518:
    'Members share a reference with the record, or refer to the record itself where it has no such reference. Of a record that refers to its own kind, both could be meant.',
  E0517:
    'conventions.yaml names citus under "engines". Citus keeps records with different owners on different machines, and refuses a statement that joins them. SQLite and PostgreSQL accept it.',

  E0519:
    'A required reference names a record that is there already. In a circle of them, the first record could never be made.',

  // 06: allowed, but probably unintended
  W0601: 'A convention that no resource extends has no effect. It may be a leftover, or an "extends" was forgotten.',
  W0602:
    'A field whose values are events, such as the one a web hook subscribes with, lists events by name. Nothing is ever published under another name.',
  W0604:
    'gen cannot tell a renamed field from a new field next to a removed one. Without "was" the new one starts empty.',
  W0605:
    'What is removed is no longer part of the API. The values in databases are only dropped by a migration that is allowed to drop them by name.',
  W0606:
    'A default is a literal unless it says what to copy: { copy: game.name }. A text that names a field of a reference is rarely meant as text.',
  W0607:
    'Hand-written code finds this field by its name alone. Since it was renamed, nobody has had the right that it stood for.',

  // 07: what hand-written code needs
  E0701:
    'Some code is written by hand and relies on fields, actions and resources by name; runtime/contract/needs.ts lists them. Without them the service would not start, or would fail at the first request.',
  E0702:
    'Hand-written code relies on the field being as runtime/contract/needs.ts describes it. For example, a password that is not of kind password is not hashed, and if any caller could set the administrator flag, any caller could become an administrator.',
  E0703:
    'The API document would list an operation that responds with 404. The lifecycle functions and actions of a spec are written in its functions/ folder, typed by the generated behaviour.ts; modules, and the functions of the spec in this repository, are written in runtime/.',
  E0704:
    'The flags that make a user an administrator and that disable one are found by name. A right must follow from what the descriptor says today, not from what a field was once called; renamed, they would silently lose their meaning.',
  E0705:
    'Hand-written code would use the values of the new field instead of those it used before: for example, notices would go to an address that nobody has entered yet.',

  // 08: versions
  E0801: 'A caller names a version by its date, and its file is found by it.',
  E0802:
    'A version knows resources, fields and values by the numbers of the ledger, since names change. With a number that stands for nothing, the service would tell old callers that something is gone although it is there.',
  E0803: 'A version is served until its sunset, so that day has to come after the date of the version.',
};

export function pageText(code: Code): string {
  const { severity, message, hint }: { severity: string; message: string; hint?: string } = catalogue[code];
  const advice = hint === undefined ? '' : `${open(hint)}\n`;
  return `${severity} ${code}: ${open(message)}\n${advice}\n${REASONS[code]}\n`;
}

/** Placeholders as usage lines show them: `<name>`. */
function open(text: string): string {
  return text.replace(/\{(\w+)\}/g, '<$1>');
}
