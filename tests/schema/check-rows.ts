// The values that each rule of a CHECK accepts and refuses, on every engine.
import type { Check } from '../../runtime/schema/schema.js';

export interface CheckRow {
  readonly check: Check;
  readonly type?: 'integer';
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

export const CHECK_ROWS: Readonly<Record<string, CheckRow>> = {
  range: { check: { rule: 'range', min: 1, max: 99 }, type: 'integer', good: [1, 99], bad: [0, 100, -1, 1.5, 'a'] },
  rangeFrom: { check: { rule: 'range', min: 0, max: null }, type: 'integer', good: [0, 2 ** 40], bad: [-1] },
  rangeTo: { check: { rule: 'range', min: null, max: 5 }, type: 'integer', good: [-9, 5], bad: [6] },
  rangeBySteps: {
    check: { rule: 'range', min: -10, max: 20, step: 5 },
    type: 'integer',
    good: [-10, 0, 20],
    bad: [-11, -12, 1, 25, 7.5],
  },
  steps: {
    check: { rule: 'range', min: null, max: null, step: 7 },
    type: 'integer',
    good: [-7, 7 * 2 ** 40],
    bad: [8],
  },
  length: {
    check: { rule: 'length', min: 1, max: 3 },
    good: ['a', 'äöü', '😀😀😀', 'a b'],
    bad: ['', 'abcd', '😀😀😀😀', 'a\0b', '\0'],
  },
  lengthFrom: { check: { rule: 'length', min: 0, max: null }, good: ['', 'x'.repeat(9999)], bad: ['\0'] },
  oneOf: { check: { rule: 'one_of', values: ['a', "it's"] }, good: ['a', "it's"], bad: ['', 'A', 'b', 'a '] },
  oneOfNumbers: { check: { rule: 'one_of', values: [0, 1] }, type: 'integer', good: [0, 1], bad: [2, -1] },
  decimal: {
    check: { rule: 'decimal', min: 0, max: 100, scale: 4 },
    good: ['0', '100', '7', '0.5', '12.3456', '100.0', '99.9999', '0.0000', '1.50'],
    bad: [
      '',
      '.',
      '.5',
      '5.',
      '00',
      '01',
      '+1',
      '-1',
      '1e2',
      '1,5',
      ' 1',
      '1 ',
      '0.12345',
      '100.0001',
      '101',
      '1.2.3',
      'x',
      '1\0',
      '１',
      '9'.repeat(30),
    ],
  },
  decimalWhole: {
    check: { rule: 'decimal', min: 2, max: 10, scale: 0 },
    good: ['2', '10'],
    bad: ['1', '11', '2.', '2.0', '02'],
  },
  decimalExact: {
    check: { rule: 'decimal', min: 0.5, max: 1.25, scale: 18 },
    good: ['0.5', '0.50', '1.25', '1.249999999999999999', '1.2', '1.250'],
    bad: ['0.4', '0.499999999999999999', '1.250000000000000001', '1.3', '0'],
  },
  decimalSigned: {
    check: { rule: 'decimal', min: -12.5, max: 0.25, scale: 2 },
    good: ['-12.5', '-12.50', '-12', '-1', '-0.01', '-9.99', '0', '0.00', '0.25', '0.2', '0.1'],
    bad: [
      '-12.51',
      '-13',
      '-12.6',
      '0.26',
      '0.3',
      '1',
      '-0',
      '-0.00',
      '--1',
      '-',
      '-.5',
      '-01',
      '+1',
      '- 1',
      '-1.',
      '-1.001',
    ],
  },
  decimalNegative: {
    check: { rule: 'decimal', min: -3, max: -1.5, scale: 1 },
    good: ['-3', '-3.0', '-2.9', '-1.5', '-2'],
    bad: ['-3.1', '-1.4', '-1', '0', '1', '2', '3', '-0'],
  },
  url: {
    check: { rule: 'url', max: 30 },
    good: ['http://a', 'https://a.b/c?d=[1]&e=~', `http://${'a'.repeat(23)}`],
    bad: [
      '',
      'http://',
      'https://',
      'ftp://a',
      'HTTP://a',
      'http://a b',
      'http:///a',
      'http://a"b',
      'http://a|b',
      'http://ä',
      'http://a\n',
      'http://a\0',
      ` http://a`,
      `http://${'a'.repeat(24)}`,
    ],
  },
  json: {
    check: { rule: 'json' },
    good: ['{}', '[1,"a"]', 'null', '"x"'],
    bad: ['', '{', "{'a':1}", '[1],', '{}\0x'],
  },
};
