// A password typed on a terminal is asked for twice and never shown.

import { PassThrough } from 'node:stream';
import { askPassword, passwordFrom } from '../../runtime/admin/commands/read-password.js';

/** A terminal on which each line is typed when it is asked for. */
function terminal(...lines: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const left = [...lines];
  let shown = '';
  const write = (text: string): void => {
    shown += text;
    if (!text.endsWith(': ')) return;
    const line = left.shift();
    if (line === undefined) stdin.end();
    else stdin.write(line);
  };
  return { stdin, stderr: { write }, shown: () => shown };
}

test('D47: prompts twice, without echo', async () => {
  const typed = terminal('correct horse\r', 'correct horse\r');
  expect(await askPassword(typed)).toBe('correct horse');
  expect(typed.shown()).toBe('Password: \nRepeat password: \n');
});

test.each([
  ['two different ones', ['correct horse\r', 'correct house\r'], 'the two passwords differ'],
  ['the end of input', ['correct horse\r'], 'no password was typed'],
])('D47: %s', async (_, lines, message) => {
  await expect(askPassword(terminal(...lines))).rejects.toThrow(message);
});

test('D47: from standard input without the line break at its end', async () => {
  const input = (text: string) => Object.assign(new PassThrough(), {}).end(text);
  expect(await passwordFrom(input(' two words \r\n'))).toBe(' two words ');
  await expect(passwordFrom(input('\n'))).rejects.toThrow('there is no password');
});
