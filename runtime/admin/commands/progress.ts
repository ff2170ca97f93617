// Shows how far a long command has come: a bar on a terminal, otherwise a line for each part.
import { SingleBar } from 'cli-progress';
import type { Progress } from '../../store/progress.js';

/** Where it is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function progressOn(screen: Screen): Progress {
  return screen.isTTY ? bars(screen as NodeJS.WriteStream) : lines(screen);
}

function bars(stream: NodeJS.WriteStream): Progress {
  let bar: SingleBar | null = null;
  return {
    begin(what, total) {
      // Neither hides the cursor nor turns off line wrapping, which would last after Ctrl-C.
      bar = new SingleBar({ stream, format: `{bar} {percentage}% | {value}/{total} | ${what}`, linewrap: true });
      bar.start(total, 0);
    },
    advance: (count) => void bar?.increment(count),
    end: () => bar?.stop(),
  };
}

function lines(screen: Screen): Progress {
  let [part, done] = ['', 0];
  return {
    begin(what) {
      [part, done] = [what, 0];
    },
    advance(count) {
      done += count;
    },
    end() {
      if (done > 0) screen.write(`${part}: ${done}\n`);
    },
  };
}
