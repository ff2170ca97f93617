// Shows how far a long command has come: a bar on a terminal, with the rate and the time left; otherwise a line for each part.

import { clearLine, cursorTo } from 'node:readline';
import type { Progress, ProgressMessage } from '../../store/progress.js';
import type { Io } from './command.js';

/** The stream on which progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function createProgress(screen: Screen): Progress {
  return screen.isTTY ? bars(screen as NodeJS.WriteStream) : lines(screen);
}

/** Shows progress, and also sends it to the process that started this one, at each whole percent. */
export function forwardProgress(progress: Progress, io: Pick<Io, 'send'>): Progress {
  if (io.send === undefined) return progress;
  let [label, max, value, percent] = ['', 0, 0, -1];
  const advance = (count: number): void => {
    value = Math.min(value + count, max);
    const now = Math.floor((value / Math.max(max, 1)) * 100);
    if (now === percent) return;
    percent = now;
    // A failure is ignored, because the other process may have ended.
    io.send?.({ label, value, max } satisfies ProgressMessage, undefined, {}, () => undefined);
  };
  return {
    begin(part, total) {
      [label, max, value, percent] = [part, total, 0, -1];
      progress.begin(part, total);
      advance(0);
    },
    advance(count) {
      progress.advance(count);
      advance(count);
    },
    end: () => progress.end(),
  };
}

/** Milliseconds between two updates of a bar. */
const PAUSE = 100;

/** Neither hides the cursor nor turns off line wrapping, which would last after Ctrl-C. */
function bars(stream: NodeJS.WriteStream): Progress {
  let [label, total, value, startTime, shown] = ['', 0, 0, 0, Number.NaN];
  const show = (now: number): void => {
    shown = now;
    cursorTo(stream, 0);
    stream.write(barLine(label, { value, total, startTime, maxWidth: stream.columns || 80 }, now));
    clearLine(stream, 1);
  };
  return {
    begin(part, count) {
      [label, total, value, startTime] = [part, count, 0, Date.now()];
      show(startTime);
    },
    advance(count) {
      value += count;
      const now = Date.now();
      if (now - shown >= PAUSE) show(now);
    },
    end() {
      if (Number.isNaN(shown)) return;
      show(Date.now());
      stream.write('\n');
    },
  };
}

const WIDTH = 20;

/** The state of the bar of one part of the work. */
interface BarState {
  readonly value: number;
  readonly total: number;
  /** Epoch milliseconds. */
  readonly startTime: number;
  /** Columns of the terminal. */
  readonly maxWidth: number;
}

/** `█████████░░░░░░░░░░░  47% | 470/1,000 | 94/s, 6 s left | files`; when the part is done, the time that it took. */
export function barLine(label: string, { value, total, startTime, maxWidth }: BarState, now: number): string {
  const part = total === 0 ? 1 : Math.min(1, value / total);
  const filled = Math.round(part * WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${`${Math.floor(part * 100)}`.padStart(3)}%`;
  const pace = paceOf(value, total, (now - startTime) / 1000);
  return [bar, `${number(value)}/${number(total)}`, ...pace, label].join(' | ').slice(0, maxWidth);
}

/** Empty for work that is done in one piece or has only begun. */
function paceOf(value: number, total: number, seconds: number): readonly string[] {
  if (total <= 1 || value === 0 || seconds <= 0) return [];
  const rate = value / seconds;
  const rest = value < total ? `${time((total - value) / rate)} left` : time(seconds);
  return [`${number(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s, ${rest}`];
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function time(seconds: number): string {
  const all = Math.ceil(seconds);
  if (all < 60) return `${all} s`;
  if (all < 3600) return `${Math.floor(all / 60)} min ${all % 60} s`;
  return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} min`;
}

function lines(screen: Screen): Progress {
  let [part, done] = ['', 0];
  return {
    begin(label) {
      [part, done] = [label, 0];
    },
    advance(count) {
      done += count;
    },
    end() {
      if (done > 0) screen.write(`${part}: ${done}\n`);
    },
  };
}
