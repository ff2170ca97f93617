// JSON is printed to a width without a change of its value.

import fc from 'fast-check';
import { Printed, printJson } from '../../generator/emit/print.js';

test.each([
  ['null', null, 'null\n'],
  ['empty values', { a: {}, b: [] }, '{ "a": {}, "b": [] }\n'],
  ['a value that fits', { a: [1, 'x'], b: { c: true } }, '{ "a": [1, "x"], "b": { "c": true } }\n'],
  ['an undefined value', { a: undefined, b: 1 }, '{ "b": 1 }\n'],
  ['a value too long', { a: 'x'.repeat(100), b: [1, 2, 3] }, `{\n  "a": "${'x'.repeat(100)}",\n  "b": [1, 2, 3]\n}\n`],
])('prints %s', (_title, value, text) => {
  expect(printJson(value)).toBe(text);
});

test('breaks a line exactly when it would be longer than 120 characters with a comma', () => {
  const ofLength = (length: number) => ['x'.repeat(length - '[""]'.length)];
  expect(printJson(ofLength(119))).toHaveLength(120);
  expect(printJson(ofLength(120))).toContain('\n  "');
});

test('counts the characters of an escaped key', () => {
  const under = (length: number) =>
    printJson({ '\\\\': ['x'.repeat(length - '  "\\\\\\\\": [""],'.length)], a: 1 }).split('\n');
  expect(under(120)[1]).toHaveLength(120);
  expect(under(121)[1]).toBe('  "\\\\\\\\": [');
});

test('counts the characters of an escaped text', () => {
  const ofLength = (length: number) => ['\n'.repeat((length - '[""]'.length) / 2)];
  expect(printJson(ofLength(118))).toHaveLength(119);
  expect(printJson(ofLength(120))).toContain('\n  "');
});

test('leaves an already printed part unchanged', () => {
  expect(printJson({ a: new Printed('[1]'), b: 2 })).toBe('{ "a": [1], "b": 2 }\n');
  expect(printJson({ a: new Printed('[\n    1\n  ]'), b: 2 })).toBe('{\n  "a": [\n    1\n  ],\n  "b": 2\n}\n');
});

test('parses back to the same value, no line longer than 120 unless it is a single value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = printJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const line of text.split('\n')) if (line.length > 120) expect(line).not.toMatch(/[[{].*[\]}]/);
    }),
    { numRuns: 300 },
  );
});
