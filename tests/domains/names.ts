// Names for domains, some of which mean something in other languages. Each name is given once.
import { NO_IDENTIFIERS, RESERVED } from '../../generator/check/claims.js';
import type { Chance } from '../support/chance.js';

const PLAIN =
  'barn byre cask dune elm fern gale harp iris jetty kiln loom mast nave oar pier quay reef silo tarn urn vane weir yard'.split(
    ' ',
  );

/** Words of TypeScript, of SQL, of JavaScript's objects, of the generated code and of the service. */
const AWKWARD = (
  'abort action add all any array as asc async between boolean by case cast check class column commit const constraint constructor ' +
  'create cross cursor database date declare default delete desc distinct do drop else end enum escape events exists export extends ' +
  'false filter for from function generated given global group having identity if import in index input insert integer interface into ' +
  'is item items join key keyof length let like limit link list match module name namespace never new no not null number object of ' +
  'offset on option or order out over package page paging parameters path plan prototype public query raise range record references ' +
  'release rename replace require response return right row rows rowid schema select self sequence service set shape sql static ' +
  'string super switch symbol table text then this time to transaction trigger true type typeof undefined union unique unknown update ' +
  'use user using validate value values var view void when where while window with yield'
)
  .split(' ')
  .filter((name) => !RESERVED.has(name));

/** Only fields may have such names. */
const WITH_LINES =
  'current_date current_time current_timestamp page_number has_proofed a_1 a1 is_new not_null to_string value_of'.split(
    ' ',
  );

const TEXTS = [
  'Plain words.',
  'Ends */ a comment /* and begins one.',
  'Quotes \' " ` and \\ a backslash.',
  'Lines\nof two {{kinds}} {braces}.',
  '<b>Tags</b> | pipes | and # marks: - dashes',
  'Ünïcödé 😀 and \u2028 a separator.',
];

export class Names {
  private readonly given = new Set<string>(['session', 'username', 'password', 'admin', 'name']);

  constructor(private readonly chance: Chance) {}

  resource(): string {
    return this.fresh(this.chance.happens(0.4) ? AWKWARD.filter((name) => !NO_IDENTIFIERS.has(name)) : PLAIN);
  }

  /** Empty if the default of the language is free. */
  plural(name: string): { readonly plural?: string } {
    const own = pluralOf(name);
    if (this.given.has(own) || this.chance.happens(0.5)) return { plural: this.take(`${name}_list`) };
    this.take(own);
    return {};
  }

  field(): string {
    return this.fresh(this.chance.happens(0.5) ? [...AWKWARD, ...WITH_LINES] : PLAIN);
  }

  /** A name of a value, which may occur twice. */
  word(): string {
    return this.chance.one([...PLAIN, "o'clock", 'say "so"', 'back\\slash', 'Élan', '😀']);
  }

  text(): string {
    return this.chance.one(TEXTS);
  }

  private fresh(from: readonly string[]): string {
    const name = this.chance.one(from);
    return this.take(this.given.has(name) ? `${name}${this.given.size}` : name);
  }

  private take(name: string): string {
    this.given.add(name);
    return name;
  }
}

export function pluralOf(name: string): string {
  return `${name}${/(s|x|z|ch|sh)$/.test(name) ? 'es' : 's'}`;
}
