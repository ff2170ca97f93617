// Which change of a field's kind an old caller does not notice (D68): by the kind of then, kinds of today.

/** Every value of today can be told as one of then. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  text: ['integer', 'decimal', 'boolean', 'date', 'day', 'enum', 'url'],
  decimal: ['integer'],
  integer: ['boolean'],
  date: ['day'],
  bit: ['boolean'],
  boolean: ['bit'],
};

/** Every value of then can be sent as one of today. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  day: ['date'],
  bit: ['boolean'],
  boolean: ['bit'],
};

const EXACT = { shown: SHOWN, sent: SENT };

export function isExact(then: string, today: string, direction: keyof typeof EXACT): boolean {
  return then !== today && EXACT[direction][then]?.includes(today) === true;
}
